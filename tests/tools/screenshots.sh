#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the pictures of the documentation with the program itself: screenshots.sh [PROGRAM], by default the release build.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
program=$(readlink -f "${1:-build/release/ui/attenscope}")
out=docs/screenshots
mkdir -p "$out"

"$program" --screenshot "$out/explore.png" --size 1400x900
"$program" --screenshot "$out/compare.png" --size 1400x900 --do compare.toggle
"$program" --screenshot "$out/steps.png" --size 1400x900 --do view.steps
"$program" --screenshot "$out/lines.png" --size 1400x900 --do view.lines
