/** The sandbox's bank debits. They are payments in its table, settled some seconds later instead of days. */
import type { Sql } from '../../db/pool.ts';
import { shownDigits } from '../../domain/bank-account.ts';
import { randomToken } from '../../domain/ids.ts';
import { type Debited, unknown } from '../port/answers.ts';
import type { BankDebits, DebitAnswer, DebitRequest } from '../port/debits.ts';
import { answerOf, unreachable } from './answers.ts';
import { isTestAccount, type TestAccount, testAccountOf } from './bank-accounts.ts';
import { insertSandboxPayment, type SandboxPayment } from './ledger.ts';
import type { SandboxTimings } from './timings.ts';

/** Longer than a debit is looked up. */
const NEVER_MS = 24 * 24 * 3_600_000;

export function sandboxDebits(sql: Sql, times: Pick<SandboxTimings, 'settleMs'>): BankDebits {
  return {
    async debit(request, signal) {
      if (signal.aborted) return unknown('timeout');
      return debitSandboxAccount(sql, times, request).catch(unreachable);
    },
  };
}

async function debitSandboxAccount(
  sql: Sql,
  { settleMs }: Pick<SandboxTimings, 'settleMs'>,
  request: DebitRequest,
): Promise<DebitAnswer> {
  const { account, chargeId: reference, accountId, mode, amount } = request;
  const known = account.routingNumber.reveal((routing) =>
    account.accountNumber.reveal((number) => testAccountOf(routing, number)),
  );
  const code = known === null ? 'generic_decline' : known.code;
  const { payment } = await insertSandboxPayment(sql, {
    reference,
    paymentId: `sandbox_${randomToken()}`,
    accountId,
    mode,
    amount,
    brand: null,
    lastFour: shownDigits(account.accountNumber),
    cardName: known?.name ?? null,
    declineCode: code,
    status: code === null ? 'succeeded' : 'declined',
    keptUntil: null,
    heldForMs: null,
    settlesInMs: settlesInMs(known, settleMs),
  });
  return unsettledDebit(payment) ?? settledDebit(payment);
}

function settlesInMs(account: TestAccount | null, settleMs: number): number {
  switch (account?.ends) {
    case 'later':
      return settleMs;
    case 'never':
      return NEVER_MS;
    default:
      return 0;
  }
}

function settledDebit(payment: SandboxPayment): DebitAnswer {
  const answer = answerOf(payment);
  if (answer.status === 'succeeded' || answer.status === 'declined') return answer;
  return unknown('answer');
}

/** A resolver with another clock than the database's must not come too early. */
const MARGIN_MS = 50;
const HOUR_MS = 3_600_000;

/** The answer as long as the bank has not settled the payment. Null if it has, or if it is a card's. */
export function unsettledDebit({ cardName, paymentId, settlesInMs }: SandboxPayment): Debited | null {
  if (settlesInMs <= 0 || !isTestAccount(cardName)) return null;
  return {
    status: 'debited',
    processorPaymentId: paymentId,
    settlesInMs: Math.min(HOUR_MS, Math.ceil(settlesInMs) + MARGIN_MS),
  };
}
