/** Digits in SIP INFO: `application/dtmf-relay` (`Signal=5`, `Duration=160`) and `application/dtmf` (the key alone). */
import { type Digit, DTMF_KEYS, SAMPLES_PER_MS } from '../rtp/index.ts';

/** FreeSWITCH's default, 250 ms. */
const DEFAULT_SAMPLES = 2000;

/** Null if the body names no key. */
export function digitInInfo(contentType: string, body: string): Digit | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/dtmf') return named(body.trim(), DEFAULT_SAMPLES);
  if (type !== 'application/dtmf-relay') return null;
  const signal = /^\s*Signal\s*=\s*(\S+)/im.exec(body)?.[1] ?? '';
  const durationMs = Number(/^\s*Duration\s*=\s*(\d{1,6})/im.exec(body)?.[1] ?? 0);
  return named(signal, durationMs > 0 ? durationMs * SAMPLES_PER_MS : DEFAULT_SAMPLES);
}

/** A key, or the number of its telephone event: 10 is `*`, 11 is `#`. */
function named(signal: string, durationSamples: number): Digit | null {
  const key = /^\d{2}$/.test(signal) ? DTMF_KEYS.charAt(Number(signal)) : signal.toUpperCase();
  return key.length === 1 && DTMF_KEYS.includes(key) ? { key, durationSamples } : null;
}
