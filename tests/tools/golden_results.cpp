// SPDX-License-Identifier: GPL-3.0-or-later
// golden_results MANIFEST_FOLDER OUT_FOLDER: writes what the engine computes for every case of a golden set, for check.py to judge.
#include "support/golden_case.h"

#include <QDir>

#include <cstdio>

int main(int argc, char **argv)
{
    using namespace attenscope;
    if (argc != 3) {
        std::fprintf(stderr, "golden_results MANIFEST_FOLDER OUT_FOLDER\n");
        return 2;
    }
    QString error;
    const auto cases = readCases(QString::fromLocal8Bit(argv[1]), &error);
    const QDir out(QString::fromLocal8Bit(argv[2]));
    if (!cases || !out.mkpath(".")) {
        std::fprintf(stderr, "%s\n", cases ? "Cannot make the output folder." : qPrintable(error));
        return 1;
    }
    int written = 0;
    for (const GoldenCase &golden : *cases) {
        const auto results = computeCase(golden);
        if (!results) {
            std::printf("skipped %s: the engine has no %s\n", golden.name.c_str(), golden.variant.c_str());
            continue;
        }
        for (const GoldenOutput &declared : golden.outputs)
            if (results->count(declared.name) == 0)
                std::printf("%s: no %s\n", golden.name.c_str(), declared.name.c_str());
        if (!writeNpz(out.filePath(QString::fromStdString(golden.file)), *results)) {
            std::fprintf(stderr, "Cannot write %s.\n", golden.file.c_str());
            return 1;
        }
        ++written;
    }
    std::printf("%d of %zu cases written\n", written, cases->size());
    return 0;
}
