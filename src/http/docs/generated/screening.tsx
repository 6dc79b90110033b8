/** The generated tables of the page of screening: notes, test numbers and test calls. */
import {
  ATTESTATION_NOTES,
  type AttestationNote,
  LOOKUP_FAILURES,
  LOOKUP_NOTES,
  type LookupFailure,
  type LookupNote,
} from '../../../domain/screening.ts';
import { TEST_CALLS } from '../../../screening/sandbox/calls.ts';
import { TEST_NUMBERS } from '../../../screening/sandbox/numbers.ts';
import { Table } from '../markdown.tsx';

const NOTES: Readonly<Record<LookupNote | LookupFailure, string>> = {
  number_not_covered: 'The lookup does not cover this number or its country.',
  port_date_missing: 'The number was ported or the SIM swapped, but the lookup has no date.',
  port_date_in_future: 'The lookup reports a port or swap with a date in the future.',
  sim_swap_unavailable: 'The carrier does not report whether the SIM was swapped.',
  sim_swap_period_differs: 'The carrier reports SIM swaps for a period other than seven days.',
  line_type_unavailable: 'The lookup does not know the type of line.',
  number_lookup_timed_out: 'The lookup did not answer within `RINGKEY_NUMBER_LOOKUP_SECONDS`.',
  number_lookup_unavailable:
    'The lookup could not be reached, or failed. After five failures in a row, lookups pause for half a minute.',
  number_lookup_rate_limited: 'There were too many lookups.',
  number_lookup_over_budget: 'The account has used up its lookups for this hour or day, so the vendor was not asked.',
  number_lookup_refused: 'The lookup rejected our credentials or request.',
  number_lookup_unreadable: 'The answer of the lookup was malformed or about another number.',
};

const NOTES_OF_CALLS: Readonly<Record<AttestationNote, string>> = {
  attestation_missing: 'Your source has no attestation of the call.',
  attestation_timed_out: 'Your source did not answer in time.',
  attestation_unavailable:
    'Your source could not be reached, or failed. After five failures in a row, requests pause for half a minute.',
  attestation_rate_limited: 'Your source answered 429.',
  attestation_refused: 'Your source answered with a status other than 200, 404, 429 or 5xx.',
  attestation_unreadable: 'The answer has no attestation of that call.',
  call_not_attested: 'The caller dialed the line through a direct trunk, and the INVITE has no attestation.',
  platform_leg_attested_a:
    'The INVITE of a call placed by a platform is attested `A` by the platform’s carrier. It is ignored because it does not vouch for the caller.',
  platform_leg_attested_b: 'The same with `B`.',
  platform_leg_attested_c: 'The same with `C`.',
  platform_leg_attested_failed: 'The same with an invalid signature.',
  identity_unreadable:
    'The Identity header cannot be verified: it is not ES256, not `shaken`, in compact form, or incomplete.',
  identity_expired: 'The signature is more than a minute old, or its time is ahead of our clock.',
  identity_other_destination: 'The signature is for a call to another number.',
  identity_forwarded:
    'The signature is for a call to another number, and a `div` PASSporT says that the call was forwarded.',
  identity_certificate_unavailable:
    'The certificate could not be fetched. It must be at a public https address, at most 64 KiB, and available within two seconds.',
  identity_certificate_untrusted:
    'The certificate does not chain to one of `RINGKEY_STIR_ROOTS`, is not valid, or is not for calls.',
};

export const LookupNotes = () => (
  <Table
    head={['Note', 'Meaning']}
    rows={[...LOOKUP_NOTES, ...LOOKUP_FAILURES].map((note) => [<code>{note}</code>, NOTES[note]])}
  />
);

export const AttestationNotes = () => (
  <Table
    head={['Note', 'Meaning']}
    rows={ATTESTATION_NOTES.map((note) => [<code>{note}</code>, NOTES_OF_CALLS[note]])}
  />
);

export const TestNumbers = () => (
  <Table
    head={['Number', 'Result of the lookup']}
    rows={TEST_NUMBERS.map(({ number, what }) => [<code>{number}</code>, what])}
  />
);

export const TestCalls = () => (
  <Table
    head={['Call', 'Attestation']}
    rows={TEST_CALLS.map(({ platformCallId, what }) => [<code>{platformCallId}</code>, what])}
  />
);
