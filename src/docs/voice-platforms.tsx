/** `/docs/voice-platforms`: what a voice agent needs: a tool, a transfer, and what to say. */
import { CodeBlock } from '../markup/code-block.tsx';
import { type CurlPlace, curlOf } from '../api/reference/curl.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { checkoutLine, type WaysToPay } from '../contract/agent-lines.ts';
import type { Verdict } from '../domain/session.ts';
import { ACTIONS } from './error-codes.tsx';
import { Table } from './layout.tsx';
import { storyMerchant } from './story.ts';

/** The tool's definition for the model: it chooses the order, and nothing else. */
export const TOOL = {
  name: 'take_payment',
  description: 'Call once, when the order is complete and the caller is ready to pay.',
  parameters: {
    type: 'object',
    properties: {
      order_id: { type: 'string', description: 'The order, as create_order answered it.' },
    },
    required: ['order_id'],
    additionalProperties: false,
  },
};

const BACKEND = `// Your backend, which the platform calls when the model uses the tool.
// The key lives here and nowhere else: one of the scope "agent" will do.
app.post('/tools/take_payment', async (request, response) => {
  // The platform's own names for the call, the model's arguments and the call of the tool:
  const { call, args, toolCallId } = request.body;
  const answer = await fetch(\`\${process.env.RINGKEY_URL}/v1/create_checkout\`, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${process.env.RINGKEY_KEY}\`,
      'content-type': 'application/json',
      // The same tool call, sent twice, opens one checkout; the model's next one a new one.
      'idempotency-key': toolCallId,
    },
    body: JSON.stringify({
      merchant_number: call.dialledNumber, // or merchant_id
      caller_phone: call.callerNumber, // from the call, never from the model
      platform_call_id: call.id,
      order_id: args.order_id,
      return_to: 'sip:agent@agents.example.com',
    }),
  });
  const body = await answer.json();
  if (!answer.ok) {
    const { agent_message, agent_action, request_id } = body.error;
    console.error('ringkey', body.error.code, request_id);
    // say null: nothing, and payment is not raised.
    return response.json({ say: agent_message, then: agent_action });
  }
  return response.json({ say: body.agent_message, transfer_to: body.transfer_to });
});`;

const PROMPT = `When the order is complete, use take_payment.
- Say the "say" of its answer word for word. When it is null, say nothing
  about payment and go on.
- When "transfer_to" is not null, transfer the call there at once.
  Never say the address.
- Never ask for a card number, an expiry date or a security code,
  and stop a caller who starts to say one.
- When the call comes back, you are told the outcome. Say it once,
  then go on with the order.
- On "pending": say that the payment is being checked and that a text
  will follow. Never offer another way to pay.`;

const TRANSFERS: readonly (readonly [how: string, what: string])[] = [
  [
    'SIP REFER',
    'The platform refers the caller to `transfer_to` and is out of the call; the caller comes back as a new call to `return_to`. The trunk must allow transfers to SIP URIs.',
  ],
  [
    'A dialled leg',
    'The platform dials `transfer_to` and joins the two (TwiML: `<Dial><Sip>`). It can keep the agent on hold. Without a `return_to` the line speaks the result and hangs up, and the platform goes on with the caller.',
  ],
  [
    'A phone number',
    'For platforms that can transfer to a number only: `transfer_to_number`. The session is found by the caller’s number among those of your account and mode, whose number it is, so the call must show it (P-Asserted-Identity, else Remote-Party-ID, else From; an anonymous one is withheld, whatever the next says) and come from a trunk that the service trusts. Where sessions at several of your merchants wait for one caller, the merchant whose own number was dialled (To, request URI, `Diversion`, `History-Info`) decides; else the line asks: “For Demo Diner, press one”, three at most, newest first. At that question there is no agent to go back to: a caller who answers nothing, or presses `**`, hears a goodbye.',
  ],
];

type Means = 'cards' | 'no_keypad' | 'link' | 'neither';

/** Verdict, what the caller can pay with, and what the agent does once it is said. */
const VERDICTS: readonly (readonly [Verdict, Means, string])[] = [
  [
    'required',
    'cards',
    'Say it, then transfer to `transfer_to`. The line offers the saved cards, too: 1 on the keypad. Or charge the one they choose before that: `charge`.',
  ],
  [
    'required',
    'no_keypad',
    'Say it, then transfer to `transfer_to`. The line texts the caller the pay link, and stays.',
  ],
  ['optional', 'cards', 'Say it. Pay now: `charge` the card they choose, or `send_link`. Later: go on.'],
  ['optional', 'link', 'Say it. Pay now: `send_link`. Later: go on.'],
  ['optional', 'neither', 'Say it, and go on.'],
  ['none', 'neither', 'Say it, and go on. Do not raise payment.'],
];

const MEANS = {
  cards: 'with cards',
  no_keypad: 'at a processor that takes no keyed cards',
  link: 'no cards',
  neither: 'no cards, no text can go out',
} as const;

function waysOf(means: Means): WaysToPay {
  return { takesKeypad: means !== 'no_keypad', hasCards: means === 'cards', canText: means !== 'neither' };
}

const OUTCOMES: readonly (readonly [outcome: string, words: string])[] = [
  ['`succeeded`', '“Thank you, that went through. Your confirmation number is one zero zero one.” (`X-Ringkey-Order`)'],
  [
    '`failed`, reason `declined`',
    '“The bank didn’t accept that card. Would you like to try again, or pay another way?”',
  ],
  [
    '`failed`, reason `no_input` or `invalid_input`',
    '“That didn’t work on the keypad. Would you like to try once more, or pay another way?”',
  ],
  ['`failed`, reason `too_many_attempts` or `error`', '“I can’t take a card right now. Nothing has been charged.”'],
  ['`pending`', '“I couldn’t confirm that yet, so please don’t pay again. You’ll get a text as soon as we know.”'],
  ['`canceled`', '“You’re back with me. How would you like to go on?”'],
  ['`expired`', '“That took a little too long. Shall we try once more?” Then a new checkout.'],
];

export interface VoicePlatformsPageProps {
  routes: readonly OperationRoute[];
  place: CurlPlace;
}

export function VoicePlatformsPage({ routes, place }: VoicePlatformsPageProps) {
  const tool = routes.find(({ id }) => id === 'tool_create_checkout');
  return (
    <>
      <h1>Voice platforms</h1>
      <p class="lead">
        Whatever runs your agent, it needs three things: a tool that opens the checkout, a transfer, and the words for
        what comes back.
      </p>
      <h2 id="tool">1. The tool</h2>
      <p>
        Let the model say which order, and nothing else. Amount, caller, merchant and key come from your side: what a
        model writes can be wrong, or be talked into it.
      </p>
      <CodeBlock text={JSON.stringify(TOOL, null, 2)} />
      <p>Your backend answers the tool:</p>
      <CodeBlock text={BACKEND} />
      <h3 id="tool-form">Without a backend</h3>
      <p>
        A platform that calls a fixed URL with fixed headers can use the tool's own form: the key (of the scope{' '}
        <code>agent</code>) and the merchant are the platform's secrets, the body is the model's. The amount is then the
        model's, too: give an <code>order_id</code> where the merchant has an order source, whose amount wins.
      </p>
      {tool !== undefined && <CodeBlock text={curlOf(tool, routes, place)} />}
      <h3>What the agent is told</h3>
      <Table
        head={['Verdict', 'agent_message', 'Then']}
        rows={VERDICTS.map(([verdict, means, then]) => [
          <>
            <code>{verdict}</code>
            {verdict === 'optional' || means === 'no_keypad' ? `, ${MEANS[means]}` : ''}
          </>,
          `“${checkoutLine(storyMerchant, verdict, waysOf(means))}”`,
          then,
        ])}
      />
      <h2 id="transfer">2. The transfer</h2>
      <p>
        <code>transfer_to</code> is a SIP URI with a token in it: for this session, for one live call, until the session
        is paid or expired. Do not log it, say it, or give it to the model. Null: do not transfer.
      </p>
      <Table head={['How', 'What happens']} rows={TRANSFERS} />
      <p>
        <code>return_to</code> may lead to the hosts and numbers of your <a href="/docs#change_account">account</a>.
        Name your platform's there, before you go live.
      </p>
      <p>
        Send telephone events (RFC 4733) and G.711: keys arrive in the audio path, not as speech. Stop your
        transcription and recording when the transfer starts, if the platform stays in the call.
      </p>
      <p>
        The line answers, says amount and merchant, and takes the card. A caller who presses <code>**</code> comes back
        to you at once. What it may answer instead:
      </p>
      <Table
        head={['SIP', 'Why']}
        rows={[
          ['404', 'No such session, or, on the number, none for this caller, or a caller who withholds the number.'],
          ['410', 'The session is expired, or paid.'],
          [
            '403',
            'On the number: the call does not come from a trusted trunk. On both: the session had ten calls already.',
          ],
          ['486', 'The session is on the line already.'],
          ['488', 'No codec in common: G.711 is needed.'],
          [
            '503',
            'Over capacity, we or your account (100 calls at once, where the service is not set up otherwise), or no media: `Retry-After` says when.',
          ],
        ].map(([status = '', why = '']) => [<code>{status}</code>, why])}
      />
      <h2 id="return">3. When the call comes back</h2>
      <p>
        To <code>return_to</code>, with <a href="/docs/sip-headers">headers</a>: find the conversation by{' '}
        <code>X-Ringkey-Call</code>, which is your <code>platform_call_id</code>, check the signature, and tell the
        agent the outcome.
      </p>
      <Table head={['Outcome', 'The agent says, for instance']} rows={OUTCOMES} />
      <p>
        Without headers, or with a signature that does not fit,{' '}
        <a href="/docs#retrieve_checkout_session">retrieve the session</a>: it always knows.
      </p>
      <h2 id="words">4. Errors, in words</h2>
      <p>
        An <a href="/docs/api-reference/error-codes">error</a> that concerns the person on the call brings its own
        sentence. Say <code>agent_message</code> as it stands; when it is null, say nothing and do not raise payment.
        Then <code>agent_action</code>:
      </p>
      <Table
        head={['agent_action', 'What it asks for']}
        rows={Object.entries(ACTIONS).map(([action, what]) => [<code>{action}</code>, what])}
      />
      <h2 id="prompt">5. In the prompt</h2>
      <CodeBlock text={PROMPT} />
    </>
  );
}
