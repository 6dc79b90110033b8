import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rewritePng } from './png.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HOSTILE = '<svg onload="alert(1)"><script>alert(1)</script>';

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

interface Png {
  width?: number;
  height?: number;
  depth?: number;
  colorType?: number;
  interlace?: number;
  pixels?: Buffer;
  /** Compressed, instead of the pixels. */
  data?: Buffer;
  before?: Buffer[];
  after?: Buffer;
}

/** 2 × 2 pixels, RGBA. */
function png({ width = 2, height = 2, depth = 8, colorType = 6, interlace = 0, ...more }: Png = {}): Buffer {
  const { pixels = Buffer.alloc(height * (1 + width * 4)), before = [], after = Buffer.alloc(0) } = more;
  const { data = deflateSync(pixels) } = more;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlace], 8);
  const chunks = [chunk('IHDR', header), ...before, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks, after]);
}

test('keeps the pixels and the size', async () => {
  const pixels = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 9, 8, 7, 6, 5, 4, 3, 2]);
  const logo = await rewritePng(png({ pixels }));
  expect(logo).toMatchObject({ type: 'image/png', width: 2, height: 2 });
  expect(logo.bytes).toEqual(png({ pixels }));
});

test('leaves behind texts, metadata, animation, and what follows the end', async () => {
  const hostile = Buffer.from(HOSTILE);
  const before = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'iCCP', 'acTL', 'fcTL', 'fdAT'].map((type) => chunk(type, hostile));
  const { bytes } = await rewritePng(png({ before, after: Buffer.from(`${HOSTILE}PK`) }));
  expect(bytes.includes('script')).toBe(false);
  expect(bytes.includes('tEXt')).toBe(false);
  expect(bytes).toEqual((await rewritePng(png())).bytes);
});

test('leaves behind what follows the pixels in their compressed data', async () => {
  const data = Buffer.concat([deflateSync(Buffer.alloc(18)), Buffer.from(HOSTILE)]);
  const plain = png();
  const at = plain.indexOf('IDAT') - 4;
  const file = Buffer.concat([plain.subarray(0, at), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
  expect((await rewritePng(file)).bytes.includes('script')).toBe(false);
});

test('reads palettes and interlaced images', async () => {
  const palette = [chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6])), chunk('tRNS', Buffer.from([0, 255]))];
  const indexed = png({ width: 9, height: 3, depth: 1, colorType: 3, pixels: Buffer.alloc(9), before: palette });
  expect(await rewritePng(indexed)).toMatchObject({ width: 9, height: 3 });
  // 3 × 3 in passes of 1, 1, 2 + 1 + 1... samples: section 8.1 of the standard.
  const interlaced = png({ width: 3, height: 3, depth: 8, colorType: 0, interlace: 1, pixels: Buffer.alloc(15) });
  expect(await rewritePng(interlaced)).toMatchObject({ width: 3, height: 3 });
});

/** Rows without a filter, in blocks that repeat at a distance that our encoder does not see, 32,680 bytes. */
function farRepetitions(): Buffer {
  const rows = Array.from({ length: 8 }, (_, row) => {
    const noise = Array.from({ length: 128 }, (_, at) => createHash('sha256').update(`${row} ${at}`).digest());
    return Buffer.concat([Buffer.alloc(1), Buffer.concat(noise).subarray(0, 4_084)]);
  });
  const block = Buffer.concat(rows);
  // RFC 1951: a block as it is, then 380 times "258 bytes, from 32,680 bytes before" in fixed codes.
  const stored = Buffer.concat([Buffer.from('00a87f5780', 'hex'), block]);
  const extra = [...(32_680 - 24_577).toString(2).padStart(13, '0')].reverse().join('');
  const bits = `110${`1100010111101${extra}`.repeat(380)}0000000`;
  const fixed = Buffer.from(
    (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt([...byte].reverse().join(''), 2)),
  );
  const check = Buffer.alloc(4);
  check.writeUInt32BE(adler32(Buffer.concat([block, block, block, block])));
  return Buffer.concat([Buffer.from('7801', 'hex'), stored, fixed, check]);
}

function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

test('refuses pixels that it cannot compress as well as the upload', async () => {
  const file = png({ width: 1_021, height: 32, data: farRepetitions() });
  expect(file.length).toBeLessThan(40_000);
  await expect(rewritePng(file)).rejects.toThrow('too large');
});

test('compresses at the default level: the highest takes minutes for hostile pixels', async () => {
  const pixels = Buffer.alloc(18, 1);
  const { bytes } = await rewritePng(png({ data: deflateSync(pixels, { level: 9 }) }));
  expect(bytes).toEqual(png({ data: deflateSync(pixels) }));
});

test.each([
  ['a GIF', Buffer.from('GIF89a;alert(1)//')],
  ['a signature alone', SIGNATURE],
  ['HTML behind a signature', Buffer.concat([SIGNATURE, Buffer.from('<html><script>alert(1)</script></html>')])],
  ['a file that was cut off', png().subarray(0, 60)],
  ['a chunk that is longer than the file', Buffer.concat([SIGNATURE, Buffer.from('ffffffff49484452', 'hex'), png()])],
  ['huge dimensions', png({ width: 100_000, height: 100_000, pixels: Buffer.alloc(18) })],
  ['a width of zero', png({ width: 0, pixels: Buffer.alloc(2) })],
  ['an unknown color type', png({ colorType: 5 })],
  ['a depth that its color type does not have', png({ depth: 4 })],
  ['fewer pixels than its header says', png({ pixels: Buffer.alloc(9) })],
  ['a decompression bomb', png({ pixels: Buffer.alloc(30_000_000) })],
  ['an unknown filter', png({ pixels: Buffer.alloc(18, 9) })],
  ['a palette that is missing', png({ colorType: 3, pixels: Buffer.alloc(6) })],
  ['a palette that is too long', png({ before: [chunk('PLTE', Buffer.alloc(999))] })],
  ['an unknown critical chunk', png({ before: [chunk('EVIL', Buffer.alloc(1))] })],
  ['no pixels', Buffer.concat([png().subarray(0, 33), chunk('IEND', Buffer.alloc(0))])],
])('refuses %s', async (_, file) => {
  await expect(rewritePng(file)).rejects.toMatchObject({ code: 'invalid_value', facts: { param: 'body' } });
});
