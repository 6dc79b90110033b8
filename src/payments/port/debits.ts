/** The port for bank debits (US ACH): charges of a keyed bank account, whose outcome is known days later. See processor.ts. */
import type { KeyedBankAccount } from '../../domain/bank-account.ts';
import type { Debited, Declined, Refused, Succeeded, Unknown } from './answers.ts';
import type { ChargeRequest } from './charges.ts';

export interface DebitRequest
  extends Pick<ChargeRequest, 'chargeId' | 'sessionId' | 'accountId' | 'mode' | 'amount' | 'orderId' | 'credentials'> {
  /** The caller wipes it. */
  account: KeyedBankAccount;
}

/** `debited`: accepted, and sent to the bank. The outcome comes from `Processor.lookUp`, which answers `debited` until then. */
export type DebitAnswer = Debited | Succeeded | Declined | Refused | Unknown;

/** Bank debits of a processor, as a telephone-initiated entry (Nacha: TEL). */
export interface BankDebits {
  /** Once per charge ID, as `Processor.charge`. Never throws. */
  debit(request: DebitRequest, signal: AbortSignal): Promise<DebitAnswer>;
}
