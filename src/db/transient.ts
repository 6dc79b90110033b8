/** Tells database errors that pass by themselves: the server restarts, fails over or is full, or the network fails. */

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
  // The server's machine is gone, and no other has its address yet.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);
/** `pg` gives these no code. */
const PG_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has)/;

/** Whether trying again may help. Whether it is safe is the caller's business: the statement may have been done. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') {
    const { code } = error;
    return SYSTEM_ERRORS.has(code) || TRANSIENT_STATES.has(code) || TRANSIENT_CLASSES.has(code.slice(0, 2));
  }
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  return PG_MESSAGES.test(error.message);
}
