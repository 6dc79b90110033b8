/** Who runs a command, for the audit trail and the log. */
import { hostname, userInfo } from 'node:os';
import type { Config } from '../config/settings.ts';
import type { Actor } from '../domain/audit.ts';
import { createLog, type Log } from '../lib/observability/log.ts';

export function commandActor(): Actor {
  return { kind: 'command', id: operatorName(), source: hostname(), requestId: null };
}

/** The user's name on this machine, or the user ID: a container may run as a user without a name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Names the operator in each line. Writes to standard error, because standard output has the command's result. */
export function createOperatorLog(config: Config, fields: Record<string, string | null>): Log {
  const { RINGKEY_LOG_LEVEL: level, RINGKEY_INSTANCE: instance } = config;
  const log = createLog({ level, instance, destination: process.stderr });
  return log.child({ source: 'operator', operator: operatorName(), ...fields });
}
