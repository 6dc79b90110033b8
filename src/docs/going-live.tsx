/** `/docs/going-live`: what changes between the sandbox and real money. */
import { CodeBlock } from '../markup/code-block.tsx';
import { curlCommand } from '../api/reference/curl.ts';
import { REQUIREMENTS } from '../merchants/status.ts';
import { CardTestingSection } from './going-live-card-testing.tsx';
import { OperationSections } from './going-live-operation.tsx';
import { SecuritySections } from './going-live-security.tsx';
import { Table } from './layout.tsx';

/** What the page sends. A test sends it, too. */
export const LIVE_REQUESTS = {
  merchant: {
    business_name: 'Corner Bakery',
    numbers: ['+15550100201'],
    payment_policy: 'always',
    time_zone: 'America/New_York',
  },
  processor: { processor: 'stripe', credentials: { secret_key: 'sk_live_YourSecretKey' } },
  webhook: {
    url: 'https://agents.example.com/ringkey',
    events: ['checkout.completed', 'checkout.failed', 'checkout.pending'],
  },
};

export const GoingLivePage = () => (
  <>
    <h1>Going live</h1>
    <p class="lead">
      The same code works in both environments; the key picks the one. First the steps, then{' '}
      <a href="#protected">what is protected how</a>, and what is not, then <a href="#operator">how it runs</a>.
    </p>
    <h2 id="key">1. A live key</h2>
    <p>
      Whoever runs the service makes the account and its first keys; later ones can be made, rolled and revoked by{' '}
      <a href="/docs#create_key">REST</a>. A key can create charges: keep it server-side, never in a prompt, a
      transcript, or anything a model writes.
    </p>
    <CodeBlock
      text={`ringkey account create --name "Acme Voice"
ringkey key create --account acct_… --mode live --name "Backend"
ringkey key create --account acct_… --mode live --name "Voice agent" --scope agent`}
    />
    <p>
      The agent, its platform and its tools get the second one: it takes payments, and cannot refund, make keys, move
      webhooks or replace a processor. <code>--expires</code> and <code>--allow-source</code> bind a key to a time and
      to addresses. What follows is done with the first one. The first command also shows the secret that signs the{' '}
      <a href="/docs/sip-headers">SIP headers</a>.
    </p>
    <h2 id="merchant">2. The merchant</h2>
    <p>Made with the live key: nothing of test mode is there. The numbers are what its callers dial.</p>
    <CodeBlock text={liveCurl('/v1/merchants', LIVE_REQUESTS.merchant)} />
    <h2 id="processor">3. Its processor</h2>
    <p>
      The credentials are tried, then kept encrypted.{' '}
      <a href="/docs#connect_processor">Each processor has its own names</a>; keypad payments need one that takes keyed
      cards (<code>stripe</code>; <code>square</code> takes saved cards and page tokens only). Stripe takes card
      numbers, and payments by telephone (MOTO), only of accounts that its support has enabled for both: ask for it
      first. Until then every keyed card is refused with <code>merchant_credentials_invalid</code>, and the caller hears
      that it is not the card. Connecting tries both without a payment (a draft that is canceled, a published test
      number); the status below says what was found.
    </p>
    <CodeBlock text={liveCurl('/v1/merchants/$MERCHANT/processor', LIVE_REQUESTS.processor)} />
    <p>
      To have callers asked whether their card is to be kept for next time, set{' '}
      <a href="/docs#change_merchant">
        <code>card_saving</code>
      </a>{' '}
      to <code>ask</code>. What they agreed to, in which words and on which call, is kept with the card.
    </p>
    <h2 id="trunk">4. The phone line</h2>
    <ul>
      <li>
        Let your voice platform's trunk transfer calls to the host in <code>transfer_to</code>: that is all the SIP URI
        needs.
      </li>
      <li>
        Only where the platform can transfer to a number alone: have the operator give your account a number of its own
        (<code>RINGKEY_TRANSFER_NUMBERS</code>: <code>+15550109999=acct_…:live</code>; in an installation with one
        account <code>RINGKEY_TRANSFER_NUMBER</code> does) and name your trunk's addresses in{' '}
        <code>RINGKEY_TRUNKS</code>. The trunk dials it with its country code (or, with{' '}
        <code>RINGKEY_TRUNK_COUNTRY</code>, as in that country), and the caller's number must be on the call. Only
        sessions of that account and mode are found. Who dials it without one gets a 404, or with{' '}
        <code>RINGKEY_NUMBER_UNKNOWN=speak</code> a sentence that says so. Where callers dial that number themselves,{' '}
        <code>RINGKEY_DIRECT_TRUNKS</code> has the <a href="/docs/screening#attestation">attestation</a> of their calls
        count.
      </li>
      <li>
        Name the hosts, and the beginnings of numbers, that <code>return_to</code> may lead to (
        <a href="/docs#change_account">
          <code>PATCH /v1/account</code>
        </a>
        , or <code>ringkey account update</code>): in live mode an account without a list can send callers nowhere.
        Private addresses are the operator's to allow, with <code>RINGKEY_RETURN_ALLOWED</code>.
      </li>
      <li>
        For a <code>return_to</code> that is a number, <code>RINGKEY_TRUNK_TARGET</code> takes the calls.
      </li>
      <li>
        Where that trunk, or a host in <code>return_to</code>, asks for digest credentials (401, 407):{' '}
        <code>RINGKEY_TRUNK_USERNAME</code>, <code>RINGKEY_TRUNK_PASSWORD</code>,{' '}
        <code>RINGKEY_RETURN_CREDENTIALS</code>.
      </li>
      <li>
        With a platform that knows session timers (RFC 4028, <code>Supported: timer</code>) one of half an hour at most
        is agreed: a call whose other side has died ends by itself.
      </li>
      <li>
        Try both ways back, REFER and bridge, and set <code>return_mode</code> where only one works.
      </li>
    </ul>
    <h2 id="webhook">5. The webhook</h2>
    <p>
      Its secret is shown this once. <a href="/docs/events#verify">Verify signatures</a>, keep the event ids, and let{' '}
      <code>checkout.completed</code> decide what is paid. A test event shows that it arrives.
    </p>
    <CodeBlock
      text={`${liveCurl('/v1/webhook_endpoints', LIVE_REQUESTS.webhook)}
curl -s -X POST "$RINGKEY/v1/webhook_endpoints/$ENDPOINT/test" -H "Authorization: Bearer $LIVE_KEY"`}
    />
    <h2 id="status">6. What is still missing</h2>
    <p>
      Ask until <code>can_take_live_payments</code> is true; then <code>requirements</code> holds at most what only the
      keypad and texts need. It asks the processor whether it takes the credentials.
    </p>
    <CodeBlock text={'curl -s "$RINGKEY/v1/merchants/$MERCHANT/status" -H "Authorization: Bearer $LIVE_KEY"'} />
    <Table
      head={['Requirement', 'What to do']}
      rows={Object.entries(REQUIREMENTS).map(([requirement, what]) => [<code>{requirement}</code>, what])}
    />
    <h2 id="checklist">7. Before the first caller</h2>
    <ul class="checks">
      <li>
        Every POST has an <code>Idempotency-Key</code>, and the same one when it is sent again.
      </li>
      <li>
        Every <a href="/docs/api-reference/error-codes">error</a> is handled by <code>code</code>; on{' '}
        <code>424 processor_unavailable</code> and <code>pending</code> no other payment is taken for that order.
      </li>
      <li>
        The agent says <code>agent_message</code> as it stands, and nothing when it is null.
      </li>
      <li>
        The call is transferred only when <code>transfer_to</code> is not null, and the{' '}
        <a href="/docs/sip-headers#signature">signature</a> of what comes back is checked.
      </li>
      <li>Transcription and recording stop while the caller is on the payment line.</li>
      <li>
        Every path was tried with the <a href="/docs/test-cards">test cards</a>: a decline, a card in doubt, one that
        stays pending, a caller who hangs up.
      </li>
    </ul>
    <CardTestingSection />
    <SecuritySections />
    <OperationSections />
  </>
);

/** A POST with the live key, for a shell. */
const liveCurl = (path: string, body: object) => curlCommand(`curl -s "$RINGKEY${path}"`, '$LIVE_KEY', body);
