/** Kinds of database errors: transient ones (restart, failover, a full server, the network) and unique violations. */

/**
 * SQLSTATE classes: 08 connection, 53 resources, 57 operator intervention (shutdown, cancel), 40 rollback (deadlock).
 */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '57']);
/**
 * 25006: still a read-only standby; 25P03: idle in a transaction for too long; 55P03: lock not available; 58030: disk.
 */
const TRANSIENT_STATES = new Set(['25006', '25P03', '55P03', '58030']);
const SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  // The server's machine is gone, and its address has not moved to another one yet.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);
/** Errors of `pg` without a code. */
const PG_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has)/;

/** Whether a retry can help. The caller decides whether it is safe, because the statement may have been executed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') {
    const { code } = error;
    return SYSTEM_ERRORS.has(code) || TRANSIENT_STATES.has(code) || TRANSIENT_CLASSES.has(code.slice(0, 2));
  }
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  return PG_MESSAGES.test(error.message);
}

/** Tells unique violations from other database errors. */
const UNIQUE_VIOLATION = '23505';

/** Whether a unique index refused the row. The statement then had no effect. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
