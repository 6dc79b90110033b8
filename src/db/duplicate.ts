/** Tells unique violations from other database errors. */
const UNIQUE_VIOLATION = '23505';

/** Whether a unique index refused the row. Nothing of the statement has been done then. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
