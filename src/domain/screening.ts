/**
 * Screening: the lookup of the caller's number, the carriers' attestation of the call, and the decision based on them.
 * Only a bad signal counts against the caller. A missing, late or broken result is a note.
 */

/** In the seven days before the lookup. `clear`: neither. `unknown`: the lookup did not say. */
export const PORT_CHECKS = ['clear', 'ported', 'swapped', 'unknown'] as const;
export type PortCheck = (typeof PORT_CHECKS)[number];

export const LINE_TYPES = ['mobile', 'landline', 'voip', 'toll_free', 'other', 'unknown'] as const;
export type LineType = (typeof LINE_TYPES)[number];

/** STIR/SHAKEN (RFC 8588): full, partial, gateway. `Failed`: the signature is invalid. */
export const ATTESTATIONS = ['A', 'B', 'C', 'Failed'] as const;
export type Attestation = (typeof ATTESTATIONS)[number];

/** The worst of several attestations decides. */
const WORST_FIRST: readonly Attestation[] = ['Failed', 'C', 'B', 'A'];

/** What a lookup's answer lacks. */
export const LOOKUP_NOTES = [
  /** The vendor has no data on this number or country. */
  'number_not_covered',
  'port_date_missing',
  'port_date_in_future',
  /** The vendor has no SIM data on this number, or its carrier reported only a part. */
  'sim_swap_unavailable',
  /** The vendor reported SIM swaps for another period than seven days, without a date. */
  'sim_swap_period_differs',
  'line_type_unavailable',
] as const;
export type LookupNote = (typeof LOOKUP_NOTES)[number];

/** Why a lookup has no answer. */
export const LOOKUP_FAILURES = [
  'number_lookup_timed_out',
  'number_lookup_unavailable',
  'number_lookup_rate_limited',
  /** The account has used up its lookup budget, so the vendor was not asked. */
  'number_lookup_over_budget',
  /** The vendor rejected our credentials or request. */
  'number_lookup_refused',
  /** The response does not have the vendor's format, or is about another number. */
  'number_lookup_unreadable',
] as const;
export type LookupFailure = (typeof LOOKUP_FAILURES)[number];

/** How many paid lookups an account can have. */
export interface LookupBudget {
  hour: number;
  day: number;
}

export const LOOKUP_BUDGET: LookupBudget = { hour: 1_000, day: 5_000 };

/** The result of a number's lookup. */
export interface NumberFacts {
  portCheck: PortCheck;
  lineType: LineType;
  carrier: string | null;
  notes: readonly LookupNote[];
}

/** A stored lookup of a number. */
export interface StoredLookup extends NumberFacts {
  /** The adapter's name. */
  adapter: string;
  /** Of the latest attempt, if it failed. Then the other facts are from an earlier attempt, if {@link isAnswered}. */
  failure: LookupFailure | null;
  isAnswered: boolean;
  /** By `Date.now()`: of the answer, otherwise of the first failure. */
  checkedAtMs: number;
}

/** Why there is no attestation, or why it does not count. */
export const ATTESTATION_NOTES = [
  /** The account's source has no attestation of the call. */
  'attestation_missing',
  'attestation_timed_out',
  'attestation_unavailable',
  'attestation_rate_limited',
  /** A status other than 200, 404, 429 and 5xx. */
  'attestation_refused',
  /** The response has no attestation of that call. */
  'attestation_unreadable',
  /** The INVITE has none. */
  'call_not_attested',
  /** The INVITE of a leg that a platform dialed, signed by the platform's own carrier. */
  'platform_leg_attested_a',
  'platform_leg_attested_b',
  'platform_leg_attested_c',
  'platform_leg_attested_failed',
  /** Its Identity header cannot be checked: not ES256, not `shaken`, the compact form, or incomplete. */
  'identity_unreadable',
  'identity_expired',
  /** Signed for a call to another number. */
  'identity_other_destination',
  /** The same, and a `div` PASSporT shows that the call was forwarded. */
  'identity_forwarded',
  'identity_certificate_unavailable',
  'identity_certificate_untrusted',
] as const;
export type AttestationNote = (typeof ATTESTATION_NOTES)[number];

/** A source's answer about a call. */
export type AttestationAnswer = { attestation: Attestation } | { attestation: null; note: AttestationNote };

/** A stored attestation of a session's call. */
export interface StoredAttestation {
  /** The source: an adapter's name. */
  source: string;
  /** Null: there is a note instead. */
  attestation: Attestation | null;
  /** What is missing or failed, in snake case, for integrators. */
  note: string | null;
  attestedAtMs: number;
}

/** All that is known about a session's caller. */
export interface ScreenFacts {
  lookup: StoredLookup | null;
  attestations: readonly StoredAttestation[];
}

export const SCREEN_REASONS = [
  'ported_recently',
  'sim_swapped_recently',
  'attestation_c',
  'attestation_failed',
] as const;
type ScreenReason = (typeof SCREEN_REASONS)[number];

/** `step_up`: no saved card of this caller is offered or charged. */
export interface Screen {
  decision: 'allow' | 'step_up';
  reasons: ScreenReason[];
  notes: string[];
  attestation: Attestation | null;
  portedRecently: boolean;
  portCheck: PortCheck;
  lineType: LineType;
  carrier: string | null;
  /** By `Date.now()`; null before the first lookup result. */
  checkedAtMs: number | null;
  /** The same for the attestation. */
  attestedAtMs: number | null;
}

const PORT_REASONS: Readonly<Record<PortCheck, ScreenReason | null>> = {
  clear: null,
  unknown: null,
  ported: 'ported_recently',
  swapped: 'sim_swapped_recently',
};
const ATTESTATION_REASONS: Readonly<Record<Attestation, ScreenReason | null>> = {
  A: null,
  B: null,
  C: 'attestation_c',
  Failed: 'attestation_failed',
};

/** @returns null before the first result */
export function decideScreen({ lookup, attestations }: ScreenFacts): Screen | null {
  if (lookup === null && attestations.length === 0) return null;
  const worst = WORST_FIRST.flatMap((value) => attestations.filter(({ attestation }) => attestation === value))[0];
  const shown = worst ?? attestations[0] ?? null;
  const portCheck = lookup?.portCheck ?? 'unknown';
  const reasons = [
    PORT_REASONS[portCheck],
    ...attestations.map(({ attestation }) => (attestation === null ? null : ATTESTATION_REASONS[attestation])),
  ].filter((reason) => reason !== null);
  return {
    decision: reasons.length > 0 ? 'step_up' : 'allow',
    reasons: [...new Set(reasons)],
    notes: notesOf(lookup, attestations),
    attestation: shown?.attestation ?? null,
    portedRecently: PORT_REASONS[portCheck] !== null,
    portCheck,
    lineType: lookup?.lineType ?? 'unknown',
    carrier: lookup?.carrier ?? null,
    checkedAtMs: lookup?.checkedAtMs ?? null,
    attestedAtMs: shown?.attestedAtMs ?? null,
  };
}

function notesOf(lookup: StoredLookup | null, attestations: readonly StoredAttestation[]): string[] {
  const ofLookup = lookup === null ? [] : [...lookup.notes, lookup.failure];
  const all = [...ofLookup, ...attestations.map(({ note }) => note)];
  return [...new Set(all.filter((note) => note !== null))];
}

/** Whether the caller is not offered saved cards. */
export function isSteppedUp(facts: ScreenFacts): boolean {
  return decideScreen(facts)?.decision === 'step_up';
}

const DAY_MS = 86_400_000;
const RECENT_MS = 7 * DAY_MS;
/** How far a vendor's clock may be ahead of ours. */
const CLOCK_MS = 5 * 60_000;

/** When a number was ported or its SIM was swapped. */
type Recency = 'recent' | 'earlier' | 'in_future' | 'unreadable';

/**
 * Whether a date is within the last seven days. A date without a time counts as the whole day, so seven days ago is
 * recent.
 * @param text ISO 8601: a date, or a time with its zone
 */
export function recencyOf(text: string, now: Date): Recency {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  const startMs = isDay || isMoment ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(startMs)) return 'unreadable';
  if (startMs > now.getTime() + CLOCK_MS) return 'in_future';
  const latestMs = isDay ? startMs + DAY_MS : startMs;
  return latestMs >= now.getTime() - RECENT_MS ? 'recent' : 'earlier';
}

/**
 * The carriers' attestation in the headers of an INVITE. Not verified: anyone can write these headers. The phone module
 * decides which carriers to trust.
 */
export interface AttestationClaims {
  /** Each `verstat` of P-Asserted-Identity and From (3GPP TS 24.229, 7.2A.20), and X-Twilio-VerStat. */
  verstats: readonly string[];
  /** Each Attestation-Info (3GPP TS 24.229, 7.2.18). */
  levels: readonly string[];
  /** Each Identity (RFC 8224). */
  identities: readonly string[];
}

const VERSTAT = /^TN-Validation-(Passed|Failed)(?:-([ABC]))?$/i;

/** @returns the worst of several claims, so that an added claim cannot improve it; null if there is none */
export function claimedAttestation({ verstats, levels }: Omit<AttestationClaims, 'identities'>): Attestation | null {
  const claimed = [...verstats.map(attestationOfVerstat), ...levels.map((text) => attestationOfLevel(text.trim()))];
  return WORST_FIRST.find((attestation) => claimed.includes(attestation)) ?? null;
}

/**
 * Parses `TN-Validation-Passed-B` and similar. Without a level it passed at the highest one, as Telnyx writes level A.
 * The level of a failed one is ignored.
 * @returns null for `No-TN-Validation` and for other texts
 */
function attestationOfVerstat(text: string): Attestation | null {
  const [, result, level] = VERSTAT.exec(text.trim()) ?? [];
  if (result === undefined) return null;
  return result.toLowerCase() === 'failed' ? 'Failed' : (attestationOfLevel(level) ?? 'A');
}

function attestationOfLevel(text: string | undefined): Attestation | null {
  const level = text?.toUpperCase();
  return level === 'A' || level === 'B' || level === 'C' ? level : null;
}
