/** An integrator's account: owns keys, merchants and sessions. */
import type { PageBranding } from './branding.ts';
import type { AccountId } from './ids.ts';
import type { Currency } from './money.ts';
import type { Country } from './phone-number.ts';
import type { ReturnPermission } from './return-permission.ts';
import type { Mode } from './session.ts';

export interface Account {
  id: AccountId;
  name: string;
  /** Currency of a checkout without a merchant. */
  currency: Currency;
  /** HMAC key of `X-Ringkey-Signature`, base64 of 32 random bytes: as stored, see lib/vault/vault.ts. */
  headerSigningSecret: string;
  headerSecretSealed: boolean;
  /** Where its callers can be sent after a call. */
  returns: ReturnPermission;
  /** Countries that it can text in addition to its merchants' own. */
  textCountries: readonly Country[];
  /** By mode: the URL of the account's attestation source; null if there is none. */
  attestationUrls: Readonly<Record<Mode, string | null>>;
  branding: Readonly<Record<Mode, PageBranding>>;
}

/** Changes of an account. Absent fields stay unchanged. */
export interface AccountChange extends Partial<ReturnPermission> {
  textCountries?: readonly Country[];
  /** Of one mode. */
  attestationUrl?: { mode: Mode; url: string | null };
  /** Of one mode. Absent fields stay unchanged. */
  branding?: { mode: Mode } & Partial<PageBranding>;
}

/** What a request can access: one account's rows of one mode. */
export interface Scope {
  accountId: AccountId;
  mode: Mode;
}
