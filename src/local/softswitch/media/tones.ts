/** The common part of `tone_stream://` (TGML, libteletone): `%(on,off,hz,…)` in sequence, `L=`, `v=` and `;loops=`. */
import { SAMPLES_PER_MS } from '../rtp/index.ts';

/** One round of the pattern, 16-bit at 8 kHz. */
interface Tones {
  pcm: Int16Array;
  /** How often the pattern is played; Infinity for `loops=-1`. */
  loops: number;
}

const MAX_PATTERN_MS = 60_000;
const DEFAULT_VOLUME_DB = -7;

/** Null if the script has no tone. */
export function parseTones(script: string): Tones | null {
  let volumeDb = DEFAULT_VOLUME_DB;
  let loops = 1;
  const parts: Int16Array[] = [];
  let leftMs = MAX_PATTERN_MS;
  for (const token of script.match(/%\([^)]*\)|[a-zA-Z]+=-?[\d.]+/g) ?? []) {
    if (!token.startsWith('%')) {
      const [name, value] = token.split('=') as [string, string];
      if (name === 'v') volumeDb = Number(value);
      if (name === 'L' || name === 'loops')
        loops = Number(value) < 0 ? Infinity : Math.max(1, Math.trunc(Number(value)));
      continue;
    }
    const [on = 0, off = 0, ...hz] = token.slice(2, -1).split(',').map(Number);
    if (![on, off, ...hz].every(Number.isFinite)) continue;
    const onMs = clamp(on, leftMs);
    const offMs = clamp(off, leftMs - onMs);
    leftMs -= onMs + offMs;
    parts.push(tone(onMs, hz, volumeDb), new Int16Array(offMs * SAMPLES_PER_MS));
  }
  const pcm = join(parts);
  return pcm.length === 0 ? null : { pcm, loops };
}

function clamp(ms: number, mostMs: number): number {
  return Math.trunc(Math.min(Math.max(0, ms), mostMs));
}

function tone(ms: number, frequencies: number[], volumeDb: number): Int16Array {
  const amplitude = (32767 * 10 ** (volumeDb / 20)) / Math.max(1, frequencies.length);
  return Int16Array.from({ length: ms * SAMPLES_PER_MS }, (_, sample) => {
    let sum = 0;
    for (const hz of frequencies) sum += Math.sin((2 * Math.PI * hz * sample) / 8000);
    return Math.round(sum * amplitude);
  });
}

function join(parts: Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
