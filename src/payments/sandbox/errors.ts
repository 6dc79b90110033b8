/** The sandbox's answer when its database cannot be reached. */
import { type Unknown, unknown } from '../ports.ts';

/** As if the connection was lost after the request was sent: the row may have been written. */
export function unreachable(error: unknown): Unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection';
  return unknown(`unreachable: ${code}`);
}
