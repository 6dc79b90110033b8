/**
 * Reads and writes 16-bit mono WAV files. The `wavefile` library would block the event loop for 6 ms per 5 seconds of
 * speech, each way.
 */
import wavefile from 'wavefile';

const HEADER_BYTES = 44;
const PCM = 1;

/** A WAV file, 16 bits mono. */
export function toWav(samples: Float32Array, hz: number): Buffer {
  const file = Buffer.alloc(HEADER_BYTES + 2 * samples.length);
  file.write('RIFF', 0, 'ascii');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'ascii');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(hz, 24);
  file.writeUInt32LE(2 * hz, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'ascii');
  file.writeUInt32LE(file.length - HEADER_BYTES, 40);
  samples.forEach((sample, at) => {
    file.writeInt16LE(Math.round(sample * 32_767), HEADER_BYTES + 2 * at);
  });
  return file;
}

/**
 * Samples and rate of a 16-bit mono WAV file with the plain 44-byte header. Ignores the lengths in the header: a program
 * that writes to a pipe can't know them.
 * @throws if it is another kind of file
 */
export function fromWav(file: Buffer): { samples: Float32Array; hz: number } {
  const plain = file.length >= HEADER_BYTES && file.toString('ascii', 0, 4) === 'RIFF' && file.readUInt16LE(20) === PCM;
  if (!plain || file.readUInt16LE(22) !== 1 || file.readUInt16LE(34) !== 16)
    throw new Error('not a 16-bit mono WAV file');
  const samples = new Float32Array((file.length - HEADER_BYTES) >> 1);
  for (let at = 0; at < samples.length; at += 1) samples[at] = file.readInt16LE(HEADER_BYTES + 2 * at) / 32_768;
  return { samples, hz: file.readUInt32LE(24) };
}

/** Samples between -1 and 1 from 16-bit little-endian ones. */
export function pcmSamples(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length >> 1);
  for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(2 * at) / 32_768;
  return samples;
}

/** A program that writes to a pipe can't know the length, and writes one of at least this size. */
const UNKNOWN_LENGTH = 0x7fff_0000;

/**
 * Samples and rate of a 16-bit mono WAV file with any chunks before the data.
 * @returns null for another kind of file, `cut_off` if it is shorter than its header says
 */
export function readWav(file: Buffer): { samples: Float32Array; hz: number } | 'cut_off' | null {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    return null;
  let hz: number | null = null;
  for (let at = 12; at + 8 <= file.length; ) {
    const [name, length, begin] = [file.toString('latin1', at, at + 4), file.readUInt32LE(at + 4), at + 8];
    if (name === 'fmt ' && begin + 16 <= file.length) {
      const isPlain = file.readUInt16LE(begin) === PCM && file.readUInt16LE(begin + 2) === 1;
      if (!isPlain || file.readUInt16LE(begin + 14) !== 16) return null;
      hz = file.readUInt32LE(begin + 4);
    }
    if (name === 'data') {
      if (hz === null || hz < 8_000 || hz > 48_000) return null;
      const isKnown = length > 0 && length < UNKNOWN_LENGTH;
      if (isKnown && begin + length > file.length) return 'cut_off';
      return { samples: pcmSamples(file.subarray(begin, isKnown ? begin + length : file.length)), hz };
    }
    at = begin + length + (length % 2);
  }
  return null;
}

/** Converts a 16-bit WAV file to µ-law: half the size, and the same sound on a µ-law call. */
export function toMuLaw(file: Buffer): Buffer {
  const wav = new wavefile.WaveFile(file);
  wav.toMuLaw();
  return Buffer.from(wav.toBuffer());
}
