/** Durations and offsets within a call. */
import { decimalText, unitText } from '../words/formats.ts';

/** `0.4 s`, `12 s`, `1 min 12 s`. */
export function secondsText(ms: number): string {
  if (ms < 9_950) return unitText(decimalText(Math.max(0, ms) / 1_000, 1), 's');
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return unitText(seconds, 's');
  return `${unitText(Math.floor(seconds / 60), 'min')} ${unitText(seconds % 60, 's')}`;
}

/** Since the start of the call: `0:09`, `12:40`. */
export function offsetText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
