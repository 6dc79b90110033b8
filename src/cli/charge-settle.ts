/** `ringkey charge settle <charge id>`: the outcome that a person found in the processor's books, into the record. */
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
import { RESOLVE_AFTER_MS } from '../payments/schedule.ts';
import { NOT_RECEIVED, settle } from '../payments/settle.ts';
import { findToSettle, leavePending } from '../db/charges/charges.ts';
import type { Database } from '../db/pool.ts';
import type { Settlement } from '../db/charges/settle-charge.ts';
import { UsageError } from './usage-error.ts';

const USAGE = `Usage: ringkey charge settle <charge id> --succeeded <processor payment id> | --not-received [--now]

  --succeeded ID    the processor took the money; ID is what it calls the payment
  --not-received    the processor knows nothing of the charge, and never will: no money moved
  --now             also while Ringkey still asks the processor by itself, as it does for three days.
                    With --not-received, ten minutes after the charge began at the earliest: a payment that is
                    still on its way would be taken, and the caller could pay a second time

  Look in the processor's books first: an outcome is final. Webhooks and texts follow as from any other charge.`;

const SETTLING = { kind: 'Charge', usage: USAGE, failures: ['not-received'] } as const;
const HELP = ['--help', '-h'];

/** @returns the process's exit code: 0 when the charge has that outcome now. @throws UsageError */
export async function chargeCommand(words: string[], config: Config): Promise<number> {
  const [verb = '', ...rest] = words;
  if (verb !== 'settle' && !HELP.includes(verb)) throw new UsageError('there is no such command', USAGE);
  const findings = readFindings(verb === 'settle' ? rest : words, SETTLING);
  if (findings !== null) return withRecord(config, ({ database }) => settleByHand(database, findings, config));
  console.log(USAGE);
  return 0;
}

async function settleByHand(sql: Database, findings: Findings<'Charge', string>, config: Config): Promise<number> {
  const { id, succeededAs, now } = findings;
  const found = await findToSettle(sql, id);
  if (found === null) return refuse('there is no such charge');
  const { charge, givenUp, ageMs } = found;
  const why = hindrance(charge, givenUp, now);
  if (why !== null) return refuse(why);
  if (!givenUp && succeededAs === null && ageMs < ON_ITS_WAY_MS) {
    return refuse(`${id} may still be on its way to the processor: not before it is ten minutes old`);
  }
  // As the resolver does: whoever was left in doubt is texted that nothing was taken, and this event says that he was.
  if (succeededAs === null) await leavePending(sql, id, RESOLVE_AFTER_MS);
  const settlement: Settlement =
    succeededAs === null ? NOT_RECEIVED : { status: 'succeeded', processorPaymentId: succeededAs };
  const log = operatorsLog(config, { processorPaymentId: succeededAs });
  const { charge: settled } = await settle({ sql, log }, charge, settlement);
  return tell(settled, settled.processorPaymentId, findings);
}
