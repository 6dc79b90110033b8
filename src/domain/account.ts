/** The integrator: owner of keys, merchants and sessions. */
import type { AccountId } from './ids.ts';
import type { Currency } from './money.ts';
import type { Mode } from './session.ts';

export interface Account {
  id: AccountId;
  name: string;
  /** What a checkout is counted in when no merchant is known (the dialled number is nobody's). */
  currency: Currency;
  /** Key of the HMAC in `X-Ringkey-Signature`: base64 of 32 random bytes. */
  headerSigningSecret: string;
}

/** What a request may see: one account's rows in one environment. */
export interface Scope {
  accountId: AccountId;
  mode: Mode;
}
