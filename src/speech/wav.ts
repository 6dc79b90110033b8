/**
 * Reads and writes 16-bit mono WAV files. By hand, because the `wavefile` library blocks the event loop for 6 ms each way for
 * 5 seconds of speech, and the header is only 44 bytes.
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
 * Samples and rate of a 16-bit mono WAV file with the plain 44-byte header. The lengths in the header are ignored: a program
 * that writes to a pipe can't know them.
 * @throws when it is another kind of file
 */
export function fromWav(file: Buffer): { samples: Float32Array; hz: number } {
  const plain = file.length >= HEADER_BYTES && file.toString('ascii', 0, 4) === 'RIFF' && file.readUInt16LE(20) === PCM;
  if (!plain || file.readUInt16LE(22) !== 1 || file.readUInt16LE(34) !== 16)
    throw new Error('not a 16-bit mono WAV file');
  const samples = new Float32Array((file.length - HEADER_BYTES) >> 1);
  for (let at = 0; at < samples.length; at += 1) samples[at] = file.readInt16LE(HEADER_BYTES + 2 * at) / 32_768;
  return { samples, hz: file.readUInt32LE(24) };
}

/** Converts a 16-bit WAV file to µ-law: half the size, and the same sound on a µ-law call. */
export function toMuLaw(file: Buffer): Buffer {
  const wav = new wavefile.WaveFile(file);
  wav.toMuLaw();
  return Buffer.from(wav.toBuffer());
}
