/** The sandbox's answer when its database cannot be reached. */
import { type Unknown, unknown } from '../ports.ts';

/** Like a connection that is lost after the request was sent: whether the row was written is not known. */
export function unreachable(error: unknown): Unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection';
  return unknown(`unreachable: ${code}`);
}
