# SPDX-License-Identifier: GPL-3.0-or-later
# Times of torch with OpenBLAS, softmax(Q Kᵀ) V in whole matrices on one thread: peers_torch.py HEADS N causal|full ROUNDS
import sys
import time

import torch

heads, n, mask, rounds = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
torch.set_num_threads(1)
torch.ones(2, 2) @ torch.ones(2, 2)
with open("/proc/self/maps", encoding="utf-8") as libraries:
    if "openblas" not in libraries.read():
        sys.exit("torch does not compute with OpenBLAS here, but with something much slower")
q, k, v = (torch.randn(heads, n, 64) for _ in range(3))
hidden = torch.full((n, n), float("-inf")).triu(1) if mask == "causal" else None


def attention():
    scores = torch.matmul(q, k.transpose(1, 2)).mul_(0.125)
    if hidden is not None:
        scores += hidden
    return torch.matmul(torch.softmax(scores, -1), v)


with torch.no_grad():
    attention()
    for _ in range(rounds):
        start = time.process_time()
        attention()
        print(1e3 * (time.process_time() - start))
