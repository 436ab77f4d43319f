#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention on one thread against others that compute it, in turn in one run; writes the table of the README between its two markers.

./dev bench engine      builds what this needs
tests/bench/peers.py    with --node FOLDER where onnxruntime-node was installed by npm, --print to leave the README alone

A peer that is not installed is left out and named under the table.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
begin, end = "<!-- peers: begin -->", "<!-- peers: end -->"
shapes = [(12, 2048, "full"), (12, 2048, "causal"), (1, 16384, "full"), (1, 16384, "causal")]
# Else the time that the system takes to give memory counts.
tuned = {"MALLOC_MMAP_THRESHOLD_": "4000000000", "MALLOC_TRIM_THRESHOLD_": "8000000000"}


def numbers_of(command, environment=None):
    """The numbers that a program prints; nothing if it fails."""
    try:
        answer = subprocess.run([str(part) for part in command], env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                                **(environment or {})}, capture_output=True, text=True, timeout=900, check=True)
        return [float(word) for word in answer.stdout.split()]
    except (OSError, subprocess.SubprocessError, ValueError):
        return []


def peers(node):
    """Name, what to install for it, command for a shape and the variables it runs with."""
    script = here / "peers_onnxruntime.js"
    torch = here / "peers_torch.py"
    return [
        ("onnxruntime, MultiHeadAttention", "onnxruntime-node of npm", lambda shape: ["node", script, *shape, 1], {"ATTENSCOPE_NODE": str(node)}),
        ("torch with OpenBLAS", "python3-torch, libopenblas0", lambda shape: [sys.executable, torch, *shape, 1], tuned),
        ("torch, usual malloc", "python3-torch, libopenblas0", lambda shape: [sys.executable, torch, *shape, 1], {}),
    ]


def measure(engine, node, rounds):
    """Rows of the table: name, and per shape how many times as long as Attenscope."""
    ours, missing = {shape: [] for shape in shapes}, []
    built_in = {"oneDNN, a matrix product of as many operations": {}, "naive, Eigen for x86-64-v3": {}}
    others = {}
    for name, package, command, environment in peers(node):
        if numbers_of(command((1, 64, "full")), environment):
            others[name] = (command, environment, {shape: [] for shape in shapes})
        else:
            missing.append(f"{name} ({package})")
    for shape in shapes:
        for _ in range(rounds):
            # Times of one round are close together, so that ratios are of the same machine in the same state.
            own = numbers_of([engine, *shape])
            if len(own) != 3:
                sys.exit(f"peers: {engine} does not run; ./dev bench engine builds it")
            ours[shape].append(own[0])
            for (name, ratios), time in zip(built_in.items(), (own[2], own[1])):
                ratios.setdefault(shape, []).extend([time / own[0]] if time > 0 else [])
            for name, (command, environment, ratios) in others.items():
                ratios[shape] += [time / own[0] for time in numbers_of(command(shape), environment)]
    rows = [(name, ratios) for name, ratios in built_in.items()] + [(name, ratios) for name, (_, _, ratios) in others.items()]
    if not any(rows[0][1].values()):
        missing.append("oneDNN (libdnnl-dev)")
        rows = rows[1:]
    return ours, rows, missing


def table(ours, rows, missing):
    title = " | ".join(f"{heads} × {n:,} × 64{', causal' if mask == 'causal' else ''}" for heads, n, mask in shapes)
    lines = [f"| one thread, 32 bits | {title} |", "| --- |" + " ---: |" * len(shapes)]
    lines.append("| Attenscope | " + " | ".join(f"{statistics.median(ours[shape]):.0f} ms" for shape in shapes) + " |")
    for name, ratios in rows:
        cells = [f"{statistics.median(ratios[shape]):.2f} ×" if ratios.get(shape) else "" for shape in shapes]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", f"Heads × tokens × width; times as long as Attenscope, processor time, medians of one run on {processor()} (`tests/bench/peers.py`)."]
    if missing:
        lines[-1] += " Not installed there: " + ", ".join(missing) + "."
    return "\n".join(lines)


def processor():
    try:
        names = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return "this machine"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engine", default=root / "build/release/tests/bench/bench_engine", help="the program that measures Attenscope")
    options.add_argument("--node", default=pathlib.Path.cwd(), help="the folder in which npm install onnxruntime-node was run")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--print", action="store_true", help="only print the table")
    chosen = options.parse_args()
    text = table(*measure(chosen.engine, chosen.node, max(1, chosen.rounds)))
    print(text)
    readme = root / "README.md"
    content = readme.read_text(encoding="utf-8")
    if not chosen.print and begin in content and end in content:
        before, after = content.split(begin)[0], content.split(end)[1]
        readme.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


main()
