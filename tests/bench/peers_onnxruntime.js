// SPDX-License-Identifier: GPL-3.0-or-later
// Times of onnxruntime's operator MultiHeadAttention on one thread: node peers_onnxruntime.js HEADS N causal|full ROUNDS
'use strict';
const path = require('path');
const { createRequire } = require('module');
// Where the caller ran npm install, not where this file is.
const ort = createRequire(path.join(process.env.ATTENSCOPE_NODE || process.cwd(), 'x.js'))('onnxruntime-node');

const width = 64;

// The few parts of the format of ONNX (onnx.proto) that a model of one node takes.
const varint = (value) => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
};
const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, [...Buffer.from(value)]);
const attribute = (name, value) => bytes(5, [...text(1, name), ...number(3, value), ...number(20, 2)]);
const tensor = (field, name, shape) => {
  const sizes = shape.flatMap((size) => bytes(1, number(1, size)));
  return bytes(field, [...text(1, name), ...bytes(2, bytes(1, [...number(1, 1), ...bytes(2, sizes)]))]);
};
const model = (heads, n, isCausal) => {
  const names = ['q', 'k', 'v'];
  const shape = [1, n, heads * width];
  const node = [...names.flatMap((name) => text(1, name)), ...text(2, 'out'), ...text(4, 'MultiHeadAttention'),
    ...attribute('num_heads', heads), ...attribute('unidirectional', isCausal ? 1 : 0), ...text(7, 'com.microsoft')];
  const graph = [...bytes(1, node), ...text(2, 'attention'), ...names.flatMap((name) => tensor(11, name, shape)), ...tensor(12, 'out', shape)];
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...number(2, 17)]),
    ...bytes(8, [...text(1, 'com.microsoft'), ...number(2, 1)])]);
};

const main = async () => {
  const [heads, n] = process.argv.slice(2, 4).map(Number);
  const session = await ort.InferenceSession.create(model(heads, n, process.argv[4] === 'causal'),
    { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const feeds = {};
  for (const name of ['q', 'k', 'v']) {
    const numbers = new Float32Array(n * heads * width).map(() => 2 * Math.random() - 1);
    feeds[name] = new ort.Tensor('float32', numbers, [1, n, heads * width]);
  }
  await session.run(feeds);
  for (let round = 0; round < Number(process.argv[5]); ++round) {
    const start = process.cpuUsage();
    await session.run(feeds);
    const { user, system } = process.cpuUsage(start);
    console.log((user + system) / 1e3);
  }
};
main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
