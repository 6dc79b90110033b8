/** An integrator's account: owns keys, merchants and sessions. */
import type { AccountId } from './ids.ts';
import type { Currency } from './money.ts';
import type { ReturnPermission } from './return-permission.ts';
import type { Mode } from './session.ts';

export interface Account {
  id: AccountId;
  name: string;
  /** Currency of a checkout without a merchant. */
  currency: Currency;
  /** Key of the HMAC in `X-Ringkey-Signature`, base64 of 32 random bytes: as stored, see vault/header-secret.ts. */
  headerSigningSecret: string;
  headerSecretSealed: boolean;
  /** Where its callers may be sent after a call. */
  returns: ReturnPermission;
  /** In each mode the URL that is asked of its calls' attestation; null: none. */
  attestationUrls: Readonly<Record<Mode, string | null>>;
}

/** Changes of an account: what is not given stays. */
export interface AccountChange extends Partial<ReturnPermission> {
  /** Of one mode. */
  attestationUrl?: { mode: Mode; url: string | null };
}

/** What a request can access: one account's rows of one mode. */
export interface Scope {
  accountId: AccountId;
  mode: Mode;
}
