/** The rule of one field that the caller keys. The rules are in `fields.ts` and `bank-account.ts`. */
import type { NumberProgress } from '../domain/card.ts';
import type { Secret } from '../domain/secret.ts';
import type { FieldError } from './lines.ts';
import type { CardSoFar, Context } from './state.ts';

export interface FieldRule {
  /** Whether to wait for more digits. */
  progress(keyed: Secret, context: Context): NumberProgress;
  /** The card with `keyed` added, which moves into the card. On an error, `keyed` is untouched. */
  read(keyed: Secret, context: Context): CardSoFar | FieldError;
}
