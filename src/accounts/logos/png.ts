/**
 * Rewrites an uploaded PNG from its header, palette, transparency and pixels. Everything else in the file is left
 * behind: texts, metadata, animation, and what follows its end (https://www.w3.org/TR/png-3/).
 */
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { LogoFile } from '../../domain/logo.ts';
import { wrongLogo } from './wrong-logo.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_SIDE_PX = 1_024;
/** Samples of a pixel, and the bit depths, by color type: section 11.2.1. */
const COLOR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** Of compressed pixels. The database takes files of up to 64 KiB, and the other chunks have less than 2. */
const MAX_DATA_BYTES = 62 * 1024;
const MAX_PALETTE_BYTES = 768;
const MAX_TRANSPARENCY_BYTES = 256;
/** Start and step of the seven passes of an interlaced image, horizontally and vertically: section 8.1. */
const ADAM7 = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;
const HIGHEST_FILTER = 4;

/** @throws ApiError `invalid_value` for a file that is not a whole PNG, or is too large */
export async function rewritePng(file: Buffer): Promise<LogoFile> {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw wrongLogo('The file is not a PNG.');
  const { header, palette, transparency, data } = chunksOf(file);
  const image = imageOf(header);
  const hasPalette = header[9] === 3;
  if (hasPalette && palette.length === 0) throw wrongLogo('The PNG has no palette.');
  const pixels = await pixelsOf(image, data);
  const chunks = [
    chunk('IHDR', header),
    ...(hasPalette ? [chunk('PLTE', palette)] : []),
    ...(transparency.length === 0 ? [] : [chunk('tRNS', transparency)]),
    chunk('IDAT', await compressed(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  const { width, height } = image;
  return { type: 'image/png', bytes: Buffer.concat([SIGNATURE, ...chunks]), width, height };
}

interface Chunks {
  header: Buffer;
  palette: Buffer;
  transparency: Buffer;
  data: Buffer;
}

function chunksOf(file: Buffer): Chunks {
  const none = Buffer.alloc(0);
  const found: Chunks = { header: none, palette: none, transparency: none, data: none };
  const data: Buffer[] = [];
  let at = SIGNATURE.length;
  for (;;) {
    if (at + 12 > file.length) throw wrongLogo('The PNG ends too early.');
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (length > file.length - at - 12) throw wrongLogo('The PNG ends too early.');
    const content = file.subarray(at + 8, at + 8 + length);
    if ((type === 'IHDR') !== (at === SIGNATURE.length)) throw wrongLogo('The PNG does not start with its header.');
    at += 12 + length;
    if (type === 'IEND') return { ...found, data: Buffer.concat(data) };
    if (type === 'IHDR') found.header = content;
    else if (type === 'PLTE') found.palette = limited(content, MAX_PALETTE_BYTES);
    else if (type === 'tRNS') found.transparency = limited(content, MAX_TRANSPARENCY_BYTES);
    else if (type === 'IDAT') data.push(content);
    // An upper-case first letter: the image cannot be shown without it.
    else if (!/^[a-z]/.test(type)) throw wrongLogo('The PNG has a critical chunk that the standard does not have.');
  }
}

function limited(content: Buffer, maxBytes: number): Buffer {
  if (content.length > maxBytes) throw wrongLogo('The palette or transparency of the PNG is too long.');
  return content;
}

interface Image {
  width: number;
  height: number;
  bitsPerPixel: number;
  isInterlaced: boolean;
}

function imageOf(header: Buffer): Image {
  if (header.length !== 13) throw wrongLogo('The header of the PNG is malformed.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colorType = 0, compression, filter, interlace = 0] = header.subarray(8);
  if (width < 1 || height < 1 || width > MAX_SIDE_PX || height > MAX_SIDE_PX) {
    throw wrongLogo(`A PNG can have up to ${MAX_SIDE_PX} × ${MAX_SIDE_PX} pixels. Send a smaller one.`);
  }
  const color = COLOR_TYPES[colorType];
  if (!color?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) {
    throw wrongLogo('The header of the PNG is malformed.');
  }
  return { width, height, bitsPerPixel: color.samples * depth, isInterlaced: interlace === 1 };
}

/** Filtered rows, as the standard compresses them. Checks that they are those of the header. */
async function pixelsOf(image: Image, data: Buffer): Promise<Buffer> {
  const rows = rowLengths(image);
  const size = rows.reduce((sum, length) => sum + length, 0);
  const damaged = () => wrongLogo('The pixels of the PNG are damaged.');
  // More than the header says is refused before it is decompressed.
  const pixels = await promisify(inflate)(data, { maxOutputLength: size }).catch(() => {
    throw damaged();
  });
  if (pixels.length !== size) throw damaged();
  let at = 0;
  for (const length of rows) {
    if ((pixels[at] ?? 0) > HIGHEST_FILTER) throw damaged();
    at += length;
  }
  return pixels;
}

/**
 * Other encoders can find repetitions that this one does not see, so the result may be larger than the upload. It stops
 * there. A level of 9 would keep one of the few threads that also hash passwords busy for minutes with hostile pixels.
 */
function compressed(pixels: Buffer): Promise<Buffer> {
  return promisify(deflate)(pixels, { level: 6, maxOutputLength: MAX_DATA_BYTES }).catch(() => {
    throw wrongLogo('The PNG is too large. Send a smaller one.');
  });
}

/** The bytes of each row, its filter included. */
function rowLengths({ width, height, bitsPerPixel, isInterlaced }: Image): number[] {
  const passes = isInterlaced ? ADAM7 : [[0, 1, 0, 1] as const];
  return passes.flatMap(([left, stepX, top, stepY]) => {
    const columns = Math.ceil((width - left) / stepX);
    const rows = Math.ceil((height - top) / stepY);
    if (columns < 1 || rows < 1) return [];
    return Array<number>(rows).fill(1 + Math.ceil((columns * bitsPerPixel) / 8));
  });
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Node.js has its own only since 20.15. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
