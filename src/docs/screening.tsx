/** `/docs/screening`: what is found out about a caller's number and call, what follows, and the sandbox's test numbers. */
import { CodeBlock } from '../markup/code-block.tsx';
import { MarkedList } from './markdown.tsx';
import {
  ATTESTATION_NOTES,
  type AttestationNote,
  LOOKUP_FAILURES,
  LOOKUP_NOTES,
  type LookupFailure,
  type LookupNote,
} from '../domain/screening.ts';
import { TEST_CALLS } from '../screening/sandbox/calls.ts';
import { TEST_NUMBERS } from '../screening/sandbox/numbers.ts';
import { Table } from './layout.tsx';

const NOTES: Readonly<Record<LookupNote | LookupFailure, string>> = {
  number_not_covered: 'The look-up has nothing of this number or its country.',
  port_date_missing: 'Ported or swapped, and the look-up does not say when.',
  port_date_in_future: 'Ported or swapped at a time to come, says the look-up.',
  sim_swap_unavailable: 'The carrier does not say whether the SIM was swapped.',
  sim_swap_period_differs: 'It says so of another period than seven days.',
  line_type_unavailable: 'The look-up does not know the kind of line.',
  number_lookup_timed_out: 'No answer within `RINGKEY_NUMBER_LOOKUP_SECONDS`.',
  number_lookup_unavailable:
    'The look-up could not be reached, or failed. After five failures in a row it is spared for half a minute.',
  number_lookup_rate_limited: 'Too many look-ups.',
  number_lookup_refused: 'It refused our credentials or request.',
  number_lookup_unreadable: 'What it answered is not of its own form, or of another number.',
};

const NOTES_OF_CALLS: Readonly<Record<AttestationNote, string>> = {
  attestation_missing: 'Your source knows of no attestation of the call.',
  attestation_timed_out: 'It did not answer in time.',
  attestation_unavailable:
    'It could not be reached, or failed. After five failures in a row it is spared for half a minute.',
  attestation_rate_limited: 'It answered 429.',
  attestation_refused: 'It answered with another status than 200, 404, 429 and 5xx.',
  attestation_unreadable: 'Its answer has no attestation of that call.',
  call_not_attested:
    'The caller dialled the line through a direct trunk, and the INVITE says nothing of an attestation.',
  platform_leg_attested_a:
    'The INVITE of a leg that a platform dialled is attested `A`: by the platform’s carrier, so it counts for nothing.',
  platform_leg_attested_b: 'Likewise `B`.',
  platform_leg_attested_c: 'Likewise `C`.',
  platform_leg_attested_failed: 'Likewise, and the signature does not hold.',
  identity_unreadable:
    'The Identity header cannot be checked: not ES256, not `shaken`, the compact form, or not whole.',
  identity_expired: 'It was signed more than a minute ago, or ahead of our clock.',
  identity_other_destination: 'It was signed for a call to another number.',
  identity_forwarded: 'Likewise, and a `div` PASSporT says that the call was forwarded.',
  identity_certificate_unavailable:
    'Its certificate could not be fetched: https at a public address, 64 KiB and two seconds at most.',
  identity_certificate_untrusted:
    'Its certificate does not lead to one of `RINGKEY_STIR_ROOTS`, or is not valid, or not for calls.',
};

const CAUSES: readonly (readonly [reason: string, meaning: string])[] = [
  [
    'ported_recently',
    'The number moved to another carrier within the seven days before the look-up. Seven days ago to the day counts.',
  ],
  ['sim_swapped_recently', 'Its SIM was swapped within these days.'],
  ['attestation_c', 'The carriers do not know whose the call is (attestation `C`).'],
  [
    'attestation_failed',
    'The call was signed, and the signature does not hold, or is that of another caller’s number.',
  ],
];

const EFFECTS: readonly string[] = [
  '`cards` is empty: in the answer of `create_checkout`, and when the session is read.',
  'The payment line offers no saved card on the keypad. One that was offered before the step-up is not charged either: the line asks for a card number.',
  '`charge` of a saved card is refused with 422 `needs_enrollment`, `agent_action` `send_link`.',
  'The pay page asks for a card, and offers no saved one: a code that is texted to a stolen number reaches the thief.',
  'Everything else stays as it is: the caller can key a card on the line, or pay by link.',
];

const HOW: readonly string[] = [
  'It runs beside `create_checkout`, for callers with a number and something to pay. Only where saved cards would be offered the answer waits for it, 300 ms at most. What comes later counts from then on: `charge` and the pay page ask again.',
  'What a look-up says of a number is reused for 24 hours, in the same account and mode. A failed one is tried again at the next checkout.',
  'All of it is deleted two days later, and at once where the caller is erased (`DELETE /v1/consumers/{id}`). Events do not carry it.',
  'A missing signal is never a cause: what is missing, late or broken is one of the `notes`, and the decision stays `allow`.',
  'Never speak of it. The caller may be the owner of the number, or not.',
];

const SETTINGS: readonly string[] = [
  '`RINGKEY_NUMBER_LOOKUP` says who is asked of numbers in live mode: `telnyx` (ports, of North American numbers; Canadian ones once Telnyx has enabled them), `twilio` (SIM swaps, where Twilio has approved them for the account, and line types), or `off`. Each look-up costs what the vendor charges for it.',
  'Test mode asks the sandbox alone, and no vendor: whoever types a number into a test need not own it. `sandbox` is for test mode only; live callers then go unscreened.',
  '`RINGKEY_SAVED_CARDS` is a switch beside it. `off`: no saved card is offered or charged at all, whatever screening says. `on`: all callers’ cards are, save of those who are stepped up. Without a look-up nobody is, so that a number that was faked or stolen shows the cards of its owner.',
];

const ATTESTATIONS: readonly string[] = [
  'From the INVITE itself, where the caller dials the number of the payment line through a trunk in `RINGKEY_DIRECT_TRUNKS`: `verstat` of P-Asserted-Identity and From (`TN-Validation-Passed`, which is `A`, `TN-Validation-Passed-B`, `TN-Validation-Failed` and the like), `X-Twilio-VerStat`, `Attestation-Info`. Where several differ, the worst counts. From any other address they are ignored: whoever calls may have written them.',
  'With `RINGKEY_STIR_ROOTS`, a file of the authorities that you trust (PEM), the Identity header of such a call is checked here, too (RFC 8224, 8225, 8588), beside the call, which does not wait: what is signed and wrong, by another key or for another caller’s number, is `Failed`; what cannot be checked is a note. Revocation of certificates is not looked up.',
  'A call that your platform sends on to `transfer_to` is a leg of its own, which its carrier signs, mostly `B` or `C`: that is a note, never a cause. Do not list a trunk as direct on which a platform dials the number, for all its callers would be stepped up.',
  'It counts for the session from then on; a better one of a later call of the same session does not take a worse one back.',
];

const QUESTION = `POST /attestation
webhook-id: cs_…
webhook-timestamp: 1795393831
webhook-signature: v1,…

{"platform_call_id": "CA0123", "caller_phone": "+15550101234", "mode": "live"}

200 OK
{"attestation": "A"}`;

const URL_RULES: readonly string[] = [
  'It is asked once for each `create_checkout` with `caller_phone` and `platform_call_id`, beside it, and has two seconds. Where the answer comes later than the 300 ms that the cards are waited for, it counts from then on.',
  'Answer 200 with `attestation`: `A`, `B`, `C`, `Failed`, or null where the call has none; or 404 for a call that you do not know. Say what your carrier said of the caller’s own call, as the platform received it (Twilio: `StirVerstat` of its webhook for the incoming call).',
  'Everything else is a note: another status, an answer that is late, longer than 16 KiB or names another `platform_call_id` or `caller_phone`. Redirects are not followed. In live mode only public https addresses are asked.',
  'The question is signed by Standard Webhooks: check it as you check webhooks, with the secret of the SIP headers (`header_signing_secret`) in place of a `whsec_…` one.',
];

export const ScreeningPage = () => (
  <>
    <h1>Screening</h1>
    <p class="lead">
      A saved card is offered to a number, and numbers are stolen: ported to another carrier, or moved to another SIM.
      So callers' numbers and calls are checked before their cards are offered.
    </p>
    <p>
      The result is <code>screen</code> of <a href="/docs#retrieve_checkout_session">a session that is read</a>; null
      until anything has resolved. Its <code>decision</code> is <code>step_up</code> for these causes alone, each of
      them in <code>reasons</code>:
    </p>
    <Table head={['Reason', 'Meaning']} rows={CAUSES.map(([reason, meaning]) => [<code>{reason}</code>, meaning])} />
    <h2 id="effects">What a step-up does</h2>
    <MarkedList items={EFFECTS} />
    <h2 id="how">How it works</h2>
    <MarkedList items={HOW} />
    <h2 id="settings">Turning it on</h2>
    <MarkedList items={SETTINGS} />
    <h2 id="notes">Notes of a look-up</h2>
    <Table
      head={['Note', 'Meaning']}
      rows={[...LOOKUP_NOTES, ...LOOKUP_FAILURES].map((note) => [<code>{note}</code>, NOTES[note]])}
    />
    <h2 id="attestation">Attestation of a call</h2>
    <p>
      Carriers sign calls (STIR/SHAKEN), and say how far they vouch for the number: <code>A</code> fully, <code>B</code>{' '}
      for their customer, <code>C</code> not at all.
    </p>
    <MarkedList items={ATTESTATIONS} />
    <h2 id="attestation-url">Asking your own URL</h2>
    <p>
      Your platform may know how the caller's call was attested. Set <code>attestation_url</code> of{' '}
      <a href="/docs#change_account">the account</a>, or{' '}
      <code>ringkey account update ID --mode live --attestation-url URL</code>:
    </p>
    <CodeBlock text={QUESTION} />
    <MarkedList items={URL_RULES} />
    <h2 id="attestation-notes">Notes of a call</h2>
    <Table
      head={['Note', 'Meaning']}
      rows={ATTESTATION_NOTES.map((note) => [<code>{note}</code>, NOTES_OF_CALLS[note]])}
    />
    <h2 id="test-numbers">Test numbers</h2>
    <p>
      As <code>caller_phone</code>, in test mode. Every other number is clear.
    </p>
    <Table
      head={['Number', 'What the look-up says']}
      rows={TEST_NUMBERS.map(({ number, what }) => [<code>{number}</code>, what])}
    />
    <h2 id="test-calls">Test calls</h2>
    <p>
      As <code>platform_call_id</code>, in test mode, with a <code>caller_phone</code>.
    </p>
    <Table
      head={['Call', 'What is said of it']}
      rows={TEST_CALLS.map(({ platformCallId, what }) => [<code>{platformCallId}</code>, what])}
    />
    <p>
      Save a card for one of the numbers (
      <a href="/docs#save_card">
        <code>POST /v1/cards</code>
      </a>
      ), open a checkout, and see whether it is offered.
    </p>
  </>
);
