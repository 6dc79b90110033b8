/** `/docs/sip-headers`: the headers that tell the agent the outcome when the caller comes back, and how to verify them. */
import { CodeBlock } from '../markup/code-block.tsx';
import { type OutcomeFacts, outcomeHeaders } from '../domain/outcome.ts';
import { Table } from './layout.tsx';
import { outcomeExample, RETURN_TO, SIP_SECRET, STORY_TIME } from './story.ts';

/** In the order in which domain/outcome.ts signs them; a test runs the recipes against it. */
const HEADERS: readonly (readonly [name: string, meaning: string])[] = [
  ['X-Ringkey-Outcome', 'see below'],
  ['X-Ringkey-Session', 'the checkout session'],
  ['X-Ringkey-Charge', 'the charge, where there is one'],
  ['X-Ringkey-Amount', 'in minor units'],
  ['X-Ringkey-Currency', 'for instance USD'],
  ['X-Ringkey-Order', '`order_id` of the session'],
  ['X-Ringkey-Decline-Code', 'the issuer’s reason, after a decline'],
  ['X-Ringkey-Call', '`platform_call_id` of the session'],
];

const OUTCOMES: readonly (readonly [outcome: string, meaning: string, agent: string])[] = [
  [
    'succeeded',
    'The money was taken: on the call, or meanwhile on the pay page or with a saved card.',
    'Thank the caller and go on.',
  ],
  ['failed', 'No money was taken; `X-Ringkey-Reason` says why.', 'Offer another way: a saved card, a link, later.'],
  [
    'pending',
    'The processor gave no outcome, or a payment on the pay page was still under way. The money may have been taken.',
    'Say that it is being checked and that a text will follow. Do not ask for another payment: a webhook brings the outcome.',
  ],
  [
    'canceled',
    'The caller asked for the agent (`**`) before a card was charged, or somebody of your account ended the call (`POST /v1/calls/{call_id}/end`).',
    'Ask how they would like to go on.',
  ],
  ['expired', 'The session’s time was over.', 'Open a new checkout if they still want to pay.'],
  [
    'agent',
    'No money was taken, and the caller has a way to pay: `X-Ringkey-Reason` `link_sent` says that the pay link was texted on the call.',
    'Say that the link can still be paid for as long as the session lasts. Do not take the payment another way without asking; a webhook brings the outcome.',
  ],
];

const REASONS: readonly (readonly [reason: string, meaning: string])[] = [
  ['no_input', 'nothing was keyed, three times'],
  ['invalid_input', 'what was keyed could not be a card, three times'],
  ['declined', 'the bank declined, and the caller had no more tries; `X-Ringkey-Decline-Code` has the last reason'],
  ['too_many_attempts', 'declined so often that none is made for a while'],
  [
    'error',
    'something broke on our side, or at the processor before anything was charged; or the processor takes no payments of the merchant as it is set up',
  ],
  [
    'keypad_unavailable',
    'the merchant’s processor takes no card that is keyed, and no link could be texted: offer a saved card, or another way',
  ],
  [
    'link_sent',
    'the pay link was texted on the call, at the caller’s wish or since no card could be keyed (outcome `agent`)',
  ],
];

export const SIGNATURE_RECIPE = `import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNED = ['outcome', 'session', 'charge', 'amount', 'currency', 'order', 'decline-code', 'call'];

/** @param headers of the INVITE or REFER, names in lower case, values as they came @param secret of your account */
export function isFromRingkey(headers, secret, nowSeconds = Date.now() / 1000) {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(headers['x-ringkey-signature'] ?? '') ?? [];
  if (t === undefined || Math.abs(nowSeconds - Number(t)) > 300) return false;
  const lines = [t, ...SIGNED.map((name) => headers['x-ringkey-' + name] ?? '')];
  const expected = createHmac('sha256', Buffer.from(secret, 'base64')).update(lines.join('\\n')).digest();
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'));
}`;

export const SIGNATURE_RECIPE_PYTHON = `import base64, hashlib, hmac, re, time

SIGNED = ["outcome", "session", "charge", "amount", "currency", "order", "decline-code", "call"]

def is_from_ringkey(headers, secret, now=None):
    """headers: of the INVITE or REFER, names in lower case, values as they came. secret: of your account."""
    match = re.fullmatch(r"t=(\\d+),v1=([0-9a-f]{64})", headers.get("x-ringkey-signature", ""))
    if match is None or abs((now or time.time()) - int(match[1])) > 300:
        return False
    lines = [match[1], *(headers.get("x-ringkey-" + name, "") for name in SIGNED)]
    expected = hmac.new(base64.b64decode(secret), "\\n".join(lines).encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[2])`;

const PAID = outcomeExample({ kind: 'succeeded' });
const DECLINED = outcomeExample({ kind: 'failed', reason: 'declined', declineCode: 'insufficient_funds' });

/** The headers as sent, without those of SIP itself. */
function invite(facts: OutcomeFacts): string {
  const lines = Object.entries(outcomeHeaders(facts, SIP_SECRET, STORY_TIME)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`INVITE ${RETURN_TO} SIP/2.0`, '…', ...lines].join('\n');
}

/** Without the URI headers, which the REFER repeats as headers of its own. */
function refer(facts: OutcomeFacts): string {
  const headers = Object.entries(outcomeHeaders(facts, SIP_SECRET, STORY_TIME));
  const inside = headers.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const lines = headers.filter(([name]) => name !== 'User-to-User').map(([name, value]) => `${name}: ${value}`);
  return ['REFER sip:caller@203.0.113.7:5060 SIP/2.0', '…', `Refer-To: <${RETURN_TO}?${inside}>`, ...lines].join('\n');
}

const cells = ([name, ...texts]: readonly string[]) => [<code>{name}</code>, ...texts];

export const SipHeadersPage = () => (
  <>
    <h1>SIP headers</h1>
    <p class="lead">
      When the caller comes back to <code>return_to</code>, the outcome comes along.
    </p>
    <Table
      head={['Header', 'Value']}
      rows={[
        ...HEADERS,
        ['X-Ringkey-Reason', 'why it failed, or what was sent, see below. Not signed.'],
        ['X-Ringkey-Signature', '`t=<unix time>,v1=<hex>`, see below'],
        ['User-to-User', 'all of it again (RFC 7433, hex), for carriers that drop X- headers'],
      ].map(cells)}
    />
    <p>
      What has no value has no header. Values are percent-encoded UTF-8. A line never passes 1,024 bytes: a longer value
      is left out.
    </p>
    <h2 id="outcomes">Outcomes</h2>
    <Table head={['X-Ringkey-Outcome', 'What it means', 'What the agent does']} rows={OUTCOMES.map(cells)} />
    <Table head={['X-Ringkey-Reason', 'Why']} rows={REASONS.map(cells)} />
    <p>
      Headers tell the agent what to say. What your books say follows the webhook{' '}
      <a href="/docs/events">
        <code>checkout.completed</code>
      </a>
      : a header that is missing, or does not verify, is no outcome, and then the session says how it stands (
      <a href="/docs#retrieve_checkout_session">retrieve</a>).
    </p>
    <h2 id="return-modes">How the call comes back</h2>
    <p>
      The merchant's <code>return_mode</code>, else the service's, decides:
    </p>
    <Table
      head={['Mode', 'What happens']}
      rows={[
        [
          'refer',
          'We send a REFER. Where it is refused, the line says `success_message`, or its own line, and ends the call.',
        ],
        ['bridge', 'We call `return_to` ourselves and join the two calls.'],
        [
          'auto',
          'REFER, where the caller’s side allowed it; else, or when it is refused or fails, a bridge. It has failed, too, when no NOTIFY has told its end in 10 seconds, or in 60 once one said 18x: then your agent rings. A success that comes later ends our call to the agent. Where the bridge fails as well, the line speaks and ends the call.',
        ],
      ].map(cells)}
    />
    <p>
      The caller hears ringing until the agent answers. The REFER names us in <code>Referred-By</code> (RFC 3892). A
      number stands in it as a <code>tel:</code> URI, which carries no headers; they are on the REFER itself.
    </p>
    <p>
      A call goes to the hosts and numbers of your <a href="/docs#change_account">account</a> only:{' '}
      <code>create_checkout</code> refuses others. Where the host's name has come to lead to a private address, or the
      list has changed meanwhile, the line speaks and ends the call.
    </p>
    <p>On the INVITE of a bridge the headers stand as they are:</p>
    <CodeBlock text={invite(PAID)} />
    <p>
      On a transfer they are on the REFER itself and, as URI headers, inside <code>Refer-To</code> (RFC 3261, 19.1.1),
      so that they reach the INVITE that your platform then sends. After a decline:
    </p>
    <CodeBlock text={refer(DECLINED)} />
    <p>
      <code>X-</code> headers that you put into <code>return_to</code> yourself (
      <code>sip:agent@agents.example.com?X-Trace=42</code>) go along. Where a <code>Refer-To</code> line would be too
      long, <code>User-to-User</code> goes first, then your headers, then <code>X-Ringkey-Call</code> and{' '}
      <code>X-Ringkey-Order</code>; what is left is signed as it is.
    </p>
    <h2 id="signature">Checking the signature</h2>
    <p>
      An HMAC-SHA256 with your account's secret (base64) over the time and the eight values, as they stand in the
      headers and in the order above, one a line; an absent one is an empty line. Compare in constant time and refuse
      what is older than five minutes. The secret is shown by <code>ringkey account create</code>, and replaced by{' '}
      <a href="/docs#roll_header_signing_secret">REST</a> or <code>ringkey account roll-secret</code>. The demo's calls,
      and the two examples above, are signed with <code>{SIP_SECRET}</code>.
    </p>
    <h3>Node</h3>
    <CodeBlock text={SIGNATURE_RECIPE} />
    <h3>Python</h3>
    <CodeBlock text={SIGNATURE_RECIPE_PYTHON} />
    <h2 id="user-to-user">In User-to-User</h2>
    <p>
      The value is the hex of{' '}
      <code>o=…&amp;s=…&amp;c=…&amp;a=…&amp;u=…&amp;r=…&amp;d=…&amp;i=…&amp;w=…&amp;t=…&amp;v1=…</code>: outcome,
      session, charge, amount, currency, order, decline code, call, reason, and the signature's two parts. What has no
      value is left out.
    </p>
  </>
);
