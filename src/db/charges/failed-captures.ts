/** Captures that failed at the processor after they had succeeded. */
import type { ChargeId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';

/**
 * The charge took nothing: it becomes failed, and its order can be paid again.
 * @returns `refunded`: it has refunds that did not fail, so it stays as it is, for a person. `settled`: it had not succeeded
 */
export async function writeCaptureFailure(
  sql: Sql,
  id: ChargeId,
  processorCode: string | null,
): Promise<'written' | 'refunded' | 'settled'> {
  const { rowCount } = await sql.query(
    `update charges set status = 'failed', decline_code = 'processing_error', processor_code = $2, captured_cents = null,
                        capture_failed_at = now()
      where id = $1 and status = 'succeeded' and refunded_cents = 0`,
    [id, processorCode],
  );
  if (rowCount === 1) return 'written';
  const left = await readFirst<{ id: string }>(sql, `select id from charges where id = $1 and status = 'succeeded'`, [
    id,
  ]);
  return left === null ? 'settled' : 'refunded';
}
