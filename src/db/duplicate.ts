const UNIQUE_VIOLATION = '23505';

/** A unique index had no room for the row: nothing of the statement has happened. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
