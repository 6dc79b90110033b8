/** The debit of a keyed bank account, and the way back to the choice between card and account. */
import { type AskStep, askField } from './asking.ts';
import type { Effect } from './effects.ts';
import type { AskLine, Line } from './lines.ts';
import type { CardSoFar, Context } from './state.ts';

/** Asks whether to pay by card or from a bank account. @param line said instead of the plain question */
export function askMethod(context: Context, line?: Line): AskStep {
  return askField(context, { field: 'method', error: null }, [], line);
}

/** Moves the account into the payment. The conversation keeps the number's copy to know what was declined. */
export function debitOf(
  { routingNumber, accountNumber, accountType: type }: CardSoFar,
  agreedTo: AskLine | 'no' | null,
): Effect {
  if (routingNumber === null || accountNumber === null || type === null) throw new Error('debit without an account');
  if (agreedTo === null || agreedTo === 'no') throw new Error('debit without an authorization');
  return {
    type: 'charge_account',
    account: { routingNumber: routingNumber.copy(), accountNumber: accountNumber.copy(), type },
    agreedTo,
  };
}
