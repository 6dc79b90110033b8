/**
 * Paying from a US bank account: the choice between card and account, the account's type, and the terms of the debit. The
 * yes counts only after the last word of the terms.
 */
import type { Secret } from '../domain/secret.ts';
import { askField, askLine } from './asking.ts';
import { askMethod } from './bank-account-order.ts';
import { startCharge } from './charging.ts';
import { wholeCard } from './fields.ts';
import { MAX_TRIES } from './limits.ts';
import { type Context, type Question, type StateOf, type Step, wipeCard } from './state.ts';
import type { Field } from './terms.ts';

type Collecting = StateOf<'collecting'>;

const question = (field: Field): Question => ({ field, error: null });

const ACCOUNT: readonly [Question, ...Question[]] = [
  question('routing_number'),
  question('account_number'),
  question('account_number_again'),
  question('account_type'),
  question('debit_terms'),
];

/** The questions after the greeting. */
export function firstQuestions(context: Context): [Question, ...Question[]] {
  return context.terms.offersBankAccount ? [question('method')] : wholeCard(context);
}

/** A caller who has not heard the terms cannot have agreed to them. */
export function isEarlyAgreement({ question: { field }, context }: Collecting, key: Secret): boolean {
  return field === 'debit_terms' && !context.heardTerms && key.reveal((digit) => digit === '1');
}

/** The caller has heard the terms: asks for the yes. @returns null unless the terms were spoken for the first time */
export function sayAgreeToTerms(state: Collecting): Step | null {
  const { context, question: asked } = state;
  if (asked.field !== 'debit_terms' || context.heardTerms) return null;
  return {
    state: { ...state, context: { ...context, heardTerms: true }, speaking: true },
    effects: [{ type: 'say', line: { name: 'debit_agree' } }],
  };
}

/** The answer to a choice about the bank account. @returns null for a key that was not offered */
export function acceptAccountChoice(state: Collecting): Step | null {
  const { context, later, keyed, question: asked } = state;
  const key = keyed.reveal((digit) => digit);
  if (key !== '1' && key !== '2') return null;
  keyed.wipe();
  const isFirst = key === '1';
  switch (asked.field) {
    case 'method':
      return askAll(wipeCard(context), isFirst ? wholeCard(wipeCard(context)) : ACCOUNT);
    case 'account_type': {
      const card = { ...context.card, accountType: isFirst ? 'checking' : 'savings' } as const;
      return askAll({ ...context, card }, later);
    }
    default:
      // Without a yes, the caller may pay by card.
      if (!isFirst) return askMethod(wipeCard(context));
      return startCharge({ ...context, agreedTo: askLine(state, null) });
  }
}

function askAll(context: Context, [next, ...later]: readonly Question[]): Step {
  if (next === undefined) throw new Error('a choice without a next question');
  return askField(context, next, later);
}

/**
 * The two account numbers differ, and either may be mistyped: asks for both again. @returns null after too many times
 */
export function askAccountAgain({ context: before, keyed, later }: Collecting): Step | null {
  const mismatches = before.mismatches + 1;
  if (mismatches >= MAX_TRIES) return null;
  keyed.wipe();
  before.card.accountNumber?.wipe();
  const context: Context = { ...before, mismatches, card: { ...before.card, accountNumber: null } };
  const again: Question = { field: 'account_number', error: 'numbers_differ' };
  return askField(context, again, [question('account_number_again'), ...later]);
}
