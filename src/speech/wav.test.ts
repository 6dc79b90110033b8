/** WAV files as other programs write them. */
import { expect, test } from 'vitest';
import { readWav, toWav } from './wav.ts';

const SAMPLES = new Float32Array([0, 0.5, -0.5, 0.25]);
const FILE = toWav(SAMPLES, 22_050);

/** The same file with another chunk before the data. */
const withList = Buffer.concat([
  FILE.subarray(0, 36),
  Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1'),
  FILE.subarray(36),
]);

test.each([
  ['plain', FILE],
  ['with a chunk before the data', withList],
  ['with a chunk after the data', Buffer.concat([FILE, Buffer.from('LIST\u0002\0\0\0ab', 'latin1')])],
])('a file %s is read', (_, file) => {
  const read = readWav(file);
  if (read === null || read === 'cut_off') throw new Error('not read');
  expect(read.hz).toBe(22_050);
  expect([...read.samples].map((sample) => Math.round(sample * 100))).toEqual([0, 50, -50, 25]);
});

test('ignores the length in the header if the writer could not know it', () => {
  for (const length of [0, 0xffff_ffff, 0x7fff_f000]) {
    const file = Buffer.from(FILE);
    file.writeUInt32LE(length, 40);
    expect(readWav(file)).toMatchObject({ hz: 22_050 });
  }
});

test('reports a file that is shorter than its header says as cut off', () => {
  expect(readWav(FILE.subarray(0, -2))).toBe('cut_off');
});

test.each([
  ['two channels', 22, 2],
  ['8 bits', 34, 8],
  ['another coding', 20, 7],
])('%s: no file of ours', (_, at, value) => {
  const file = Buffer.from(FILE);
  file.writeUInt16LE(value, at);
  expect(readWav(file)).toBeNull();
});

test('rejects files without a WAV header', () => {
  for (const file of [Buffer.alloc(0), Buffer.from('<html>'), FILE.subarray(0, 20)]) expect(readWav(file)).toBeNull();
});
