// SPDX-License-Identifier: GPL-3.0-or-later
// The program: reads its arguments and opens the window, draws a figure, or takes a picture of the window.
#pragma once

namespace attenscope {

/// Exit code: 0; 1 with one sentence on stderr where it failed; 2 where it was called wrongly.
int runProgram(int argc, char **argv);

} // namespace attenscope
