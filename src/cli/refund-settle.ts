/** `ringkey refund settle <refund id>`: the outcome that a person found in the processor's books, into the record. */
import { withRecord } from './connect.ts';
import {
  type Findings,
  hindrance,
  ON_ITS_WAY_MS,
  operatorsLog,
  readFindings,
  refuse,
  tell,
} from './manual-settlement.ts';
import type { Config } from '../config.ts';
import type { Refund } from '../domain/refund.ts';
import { REPEATABLE_MS } from '../payments/ports.ts';
import { settleRefundAs } from '../payments/refund.ts';
import type { Sql } from '../db/pool.ts';
import { findRefundToSettle } from '../db/refunds/refund-lists.ts';
import type { RefundSettlement } from '../db/refunds/refunds.ts';

const USAGE = `Usage: ringkey refund settle <refund id> --succeeded <processor refund id> | --refused | --not-received [--now]

  --succeeded ID    the processor has given the money back; ID is what it calls the refund
  --refused         the processor took the refund on, and it came to nothing: the merchant has the money
  --not-received    the processor knows nothing of the refund, and never will
  --now             also while Ringkey still asks the processor by itself, as it does for a month.
                    Of a refund that the processor has not named yet, only --succeeded: Ringkey may be sending it
                    again, as it does for half a day, and what is called failed can be given back a second time

  Look in the processor's books first: an outcome is final. The webhook follows as from any other refund.`;

const SETTLING = { kind: 'Refund', usage: USAGE, failures: ['refused', 'not-received'] } as const;
type RefundFindings = Findings<'Refund', (typeof SETTLING.failures)[number]>;

/** @returns the process's exit code: 0 when the refund has that outcome now. @throws UsageError */
export async function refundSettleCommand(words: string[], config: Config): Promise<number> {
  const findings = readFindings(words, SETTLING);
  if (findings !== null) return withRecord(config, ({ database }) => settleByHand(database, findings, config));
  console.log(USAGE);
  return 0;
}

async function settleByHand(sql: Sql, findings: RefundFindings, config: Config): Promise<number> {
  const { id, succeededAs, now } = findings;
  const found = await findRefundToSettle(sql, id);
  if (found === null) return refuse('there is no such refund');
  const { refund, givenUp, ageMs } = found;
  const why = hindrance(refund, givenUp, now);
  if (why !== null) return refuse(why);
  const settlement = settlementOf(findings);
  if (contradicts(refund, settlement)) return refuse(`${id} is known to the processor as ${refund.processorRefundId}`);
  if (!givenUp && succeededAs === null && mayBeSent(refund, ageMs)) {
    return refuse(
      `${id} may be on its way to the processor, or be sent once more: not within 12 h 10 min of its start`,
    );
  }
  const log = operatorsLog(config, { processorRefundId: succeededAs ?? refund.processorRefundId });
  const settled = await settleRefundAs({ sql, log }, refund, settlement);
  return tell(settled, settled.processorRefundId, findings);
}

function settlementOf({ succeededAs, failure }: RefundFindings): RefundSettlement {
  if (succeededAs !== null) return { status: 'succeeded', processorRefundId: succeededAs };
  return { status: 'failed', reason: failure === 'refused' ? 'refused' : 'not_received', processorCode: null };
}

/** What the processor has told us of it is another refund's, or of one that it never got. */
function contradicts({ processorRefundId }: Refund, settlement: RefundSettlement): boolean {
  if (processorRefundId === null) return false;
  if (settlement.status === 'failed') return settlement.reason === 'not_received';
  return settlement.processorRefundId !== processorRefundId;
}

/** The resolver sends again what the processor has not named (refund-resolve.ts). */
function mayBeSent({ processorRefundId }: Refund, ageMs: number): boolean {
  return processorRefundId === null && ageMs < REPEATABLE_MS + ON_ITS_WAY_MS;
}
