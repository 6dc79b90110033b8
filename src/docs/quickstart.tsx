/** `/docs/quickstart`: from nothing to a paid call. A test runs its commands one after the other. */
import { CodeBlock } from '../markup/code-block.tsx';
import type { CurlPlace } from '../api/reference/curl.ts';

/** Shell commands of the page, in their order; each builds on those before it. */
export function quickstartCommands({
  baseUrl,
  key,
}: CurlPlace): Record<'open' | 'charge' | 'read' | 'link' | 'decline' | 'agentKey', string> {
  const post = (path: string, body: string) => `curl -s "${baseUrl}/v1/${path}" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${body}`;
  const pick = (field: string) => `sed -n 's/.*"${field}":"\\([^"]*\\)".*/\\1/p'`;
  return {
    open: `CHECKOUT=$(${post(
      'create_checkout',
      `'{
    "merchant_id": "mer_demo_diner",
    "caller_phone": "+15550101234",
    "order_id": "order_1001",
    "allow_repeat": true
  }'`,
    )})
echo "$CHECKOUT"
SESSION=$(echo "$CHECKOUT" | ${pick('checkout_session_id')})
TRANSFER_TO=$(echo "$CHECKOUT" | ${pick('transfer_to')})`,
    charge: post('charge', `'{"checkout_session_id": "'"$SESSION"'", "instrument_id": "card_demo_visa"}'`),
    read: `curl -s "${baseUrl}/v1/checkout_sessions/$SESSION" -H "Authorization: Bearer ${key}"`,
    link: `SESSION=$(${post(
      'create_checkout',
      `'{"merchant_id": "mer_demo_diner", "caller_phone": "+15550101234", "order_id": "order_1002", "allow_repeat": true}'`,
    )} | ${pick('checkout_session_id')})
${post('send_link', `'{"checkout_session_id": "'"$SESSION"'"}'`)}`,
    decline: `CARD=$(${post(
      'cards',
      `'{"merchant_id": "mer_demo_diner", "caller_phone": "+15550109876", "token": "tok_insufficient_funds"}'`,
    )} | ${pick('instrument_id')})
SESSION=$(${post(
      'create_checkout',
      `'{"merchant_id": "mer_demo_diner", "caller_phone": "+15550109876", "order_id": "order_1002", "allow_repeat": true}'`,
    )} | ${pick('checkout_session_id')})
${post('charge', `'{"checkout_session_id": "'"$SESSION"'", "instrument_id": "'"$CARD"'"}'`)}`,
    agentKey: post('keys', `'{"name": "Voice agent", "scope": "agent"}'`),
  };
}

export function QuickstartPage({ place }: { place: CurlPlace }) {
  const commands = quickstartCommands(place);
  return (
    <>
      <h1>Quickstart</h1>
      <p class="lead">From nothing to a paid call, on your own machine, with fake money.</p>
      <h2 id="start">1. Start it</h2>
      <p>In a clone of Ringkey, with Node 20.12 or newer. It ends with a block that says what runs where.</p>
      <CodeBlock text="npm start" />
      <h2 id="open">2. Open a checkout</h2>
      <p>
        The demo's diner, its caller, an order of 42.50. This is the request that your agent makes when the order is
        ready to pay.
      </p>
      <CodeBlock text={commands.open} />
      <p>
        The answer says that payment is <code>required</code>, what the agent says now (<code>agent_message</code>),
        where the call goes (<code>transfer_to</code>), and which <code>cards</code> the caller has saved here.{' '}
        <code>allow_repeat</code> is for trying: without it an order that is paid answers that it is, and nothing is to
        be paid.
      </p>
      <p>
        An account of your own has the same merchants, caller and orders in test mode: <code>ringkey key create</code>{' '}
        prints their ids with its first test key. Put your key in place of the demo's, your diner's id in place of{' '}
        <code>mer_demo_diner</code>, and your card's in place of <code>card_demo_visa</code>.
      </p>
      <h2 id="call">3. Pay by phone</h2>
      <p>
        Let the scripted caller dial <code>transfer_to</code> and key a test card. It tells what it hears and what it
        keys:
      </p>
      <CodeBlock text={'npm run call -- --target "$TRANSFER_TO"'} />
      <p>
        Or dial it with any softphone and key <code>4242 4242 4242 4242</code>, a month to come, any security code.{' '}
        <code>npm run call</code> alone opens a checkout of its own, with an agent that takes the caller back, and shows
        the <a href="/docs/sip-headers">headers</a> that the call came back with; <code>npm run call -- --help</code>{' '}
        lists what else the caller can do: get declined, say nothing, hang up in the middle.
      </p>
      <h2 id="charge">Or: charge a saved card</h2>
      <p>
        When the caller chooses one of <code>cards</code>, no transfer is needed. A session is paid once: after the call
        above this is refused with{' '}
        <a href="/docs/api-reference/error-codes#charge_details_mismatch">
          <code>charge_details_mismatch</code>
        </a>
        , so open another checkout first.
      </p>
      <CodeBlock text={commands.charge} />
      <p>
        A card gets saved by the caller on the line, where the merchant's <code>card_saving</code> is <code>ask</code> (
        <code>npm run call -- --script save-card</code> does it at <code>mer_demo_market</code>), or over REST by{' '}
        <a href="/docs#save_card">its token</a>.
      </p>
      <h2 id="read">4. See how it went</h2>
      <CodeBlock text={commands.read} />
      <p>
        <code>session_status</code> is <code>complete</code>, <code>charge.status</code> is <code>succeeded</code>. The
        text with the receipt is at <a href="/demo/texts">/demo/texts</a>; what your webhook would have got is under{' '}
        <a href="/docs#list_events">list events</a>.
      </p>
      <h2 id="link">5. Text a pay link</h2>
      <p>A caller who would rather not key a card pays on a page of ours:</p>
      <CodeBlock text={commands.link} />
      <p>
        <code>sent</code> says whether a text went out: only then may the agent say so. In the demo it goes to nobody
        but <a href="/demo/texts">/demo/texts</a>; open the link there, or <code>pay_url</code> from the answer. Do it
        again, and it is the same link without a second text.
      </p>
      <h2 id="decline">6. See a decline</h2>
      <p>
        Every <a href="/docs/test-cards">test card</a> can be keyed, and saved by its token. This one, of another
        caller, has no money:
      </p>
      <CodeBlock text={commands.decline} />
      <p>
        A 402 with the code <code>card_declined</code>: the agent says <code>agent_message</code> as it stands and does{' '}
        <code>agent_action</code>.
      </p>
      <h2 id="agent-key">7. Give the agent a key of its own</h2>
      <p>
        The demo's key is everybody's. What your agent and its platform hold is a key of the scope <code>agent</code>:
        it opens checkouts, charges, texts links, identifies callers and reads sessions. It cannot refund, make keys,
        move webhooks or replace a processor.
      </p>
      <CodeBlock text={commands.agentKey} />
      <h2 id="next">Next</h2>
      <ul>
        <li>
          <a href="/docs/voice-platforms">Point your voice platform at it</a>.
        </li>
        <li>
          <a href="/docs/events">Register a webhook</a> and let <code>checkout.completed</code> decide what is paid.
        </li>
        <li>
          <a href="/docs/going-live">Go live</a>.
        </li>
      </ul>
    </>
  );
}
