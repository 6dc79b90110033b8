/** Who runs a command, for the audit trail and the log. */
import { hostname, userInfo } from 'node:os';
import type { Actor } from '../domain/audit.ts';

export function commandActor(): Actor {
  return { kind: 'command', id: operatorName(), source: hostname(), requestId: null };
}

/** The user's name on this machine, or the user ID: a container may run as a user without a name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
