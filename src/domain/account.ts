/** An integrator's account: owns keys, merchants and sessions. */

import type { HexColor } from './colors.ts';
import type { HttpsUrl } from './https-url.ts';
import type { AccountId } from './ids.ts';
import type { Currency } from './money.ts';
import type { Country, E164 } from './phone-number.ts';
import type { ReturnPermission } from './return-permission.ts';
import type { Mode } from './session.ts';

/** How the pay page looks, besides what the merchant says. */
export interface PageBranding {
  /** Of buttons, links and signs; null: the page's own green. */
  accentColor: HexColor | null;
  /** What payers can ask at; null: not shown. */
  supportPhone: E164 | null;
  supportEmail: string | null;
  /** What payers can read; null: not linked. */
  termsUrl: HttpsUrl | null;
  privacyUrl: HttpsUrl | null;
}

export const NO_BRANDING: PageBranding = {
  accentColor: null,
  supportPhone: null,
  supportEmail: null,
  termsUrl: null,
  privacyUrl: null,
};

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
  /** Countries that it may text besides its merchants' own. */
  textCountries: readonly Country[];
  /** In each mode the URL that is asked of its calls' attestation; null: none. */
  attestationUrls: Readonly<Record<Mode, string | null>>;
  branding: Readonly<Record<Mode, PageBranding>>;
}

/** Changes of an account: what is not given stays. */
export interface AccountChange extends Partial<ReturnPermission> {
  textCountries?: readonly Country[];
  /** Of one mode. */
  attestationUrl?: { mode: Mode; url: string | null };
  /** Of one mode; what is not given stays. */
  branding?: { mode: Mode } & Partial<PageBranding>;
}

/** What a request can access: one account's rows of one mode. */
export interface Scope {
  accountId: AccountId;
  mode: Mode;
}
