/** The speech of phone tests: short sounds, and names of the lines that they stand for. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import wavefile from 'wavefile';
import type { Line } from '../../../src/flow/lines.ts';
import { noise } from './caller-and-agent.ts';

/** The text of a line in `said`. */
export function shortOf(line: Line): string {
  if (line.name === 'still_confirming') return `${line.name} ${line.textFollows ? 'with' : 'without'} a text`;
  if (line.name === 'choose_merchant') {
    const names = line.merchants.map(({ businessName }) => businessName).join(', ');
    return `${line.name} ${names}${line.error === null ? '' : ` ${line.error}`}`;
  }
  if ('remainingCents' in line && line.name !== 'ask') return `${line.name} ${line.remainingCents} left`;
  if (line.name === 'greeting' && line.back !== undefined) return `${line.name} ${line.back}`;
  return line.name === 'ask' ? `ask ${line.field}` : line.name;
}

/** A short name for each line. */
export function wordsOf(line: Line): string {
  return line.name === 'ask' ? `ask ${line.field} ${line.attempt}` : line.name;
}

/** Writes `long.wav` and `short.wav`. */
export async function writeSounds(folder: string): Promise<void> {
  const samples = noise();
  for (const [name, length] of [
    ['long', 8_000],
    ['short', 1_600],
  ] as const) {
    const wav = new wavefile.WaveFile();
    wav.fromScratch(1, 8_000, '16', samples.subarray(0, length));
    await writeFile(join(folder, `${name}.wav`), wav.toBuffer());
  }
}
