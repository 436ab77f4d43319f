// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point of the window.
#include "window/program.h"

int main(int argc, char **argv)
{
    return attenscope::runProgram(argc, argv);
}
