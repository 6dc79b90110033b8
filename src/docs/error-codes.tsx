/** `/docs/api-reference/error-codes`: the page that `doc_url` points to, made of the error catalogue. */
import { Fragment } from 'preact';
import { CodeBlock } from '../markup/code-block.tsx';
import { marked } from './markdown.tsx';
import { errorsOf } from '../api/reference/errors.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { DECLINE_CODES, type DeclineCode } from '../domain/charge.ts';
import { type AgentAction, ERROR_CODES, type ErrorCode } from '../contract/error-catalogue.ts';
import { errorEntry, errorObject } from '../contract/errors.ts';
import { SPOKEN_LANGUAGES } from '../contract/translations.ts';
import { Table } from './layout.tsx';

/** In the order in which an agent meets them. */
export const ACTIONS: Record<AgentAction, string> = {
  retry_card:
    'Have the caller check what was keyed, and key the same card again on the payment line. Never have a card read out.',
  offer_different_card: 'Offer another saved card, the payment line, or, where pay links can be sent, a link.',
  send_link: 'Text a pay link: `send_link`. Say that a text is coming only when `sent` is true.',
  escalate: 'Hand the call over to a person at the merchant.',
  end_call: 'Say goodbye.',
};

/** What each decline code means, for the developer. The words for the caller are in the catalogue. */
const DECLINES: Record<DeclineCode, string> = {
  generic_decline: 'The issuer gave no reason, or one of the processor’s own: see `processor_code`.',
  do_not_honor: 'The issuer says no and not why.',
  insufficient_funds: 'Not enough money, or the amount is over a limit.',
  lost_card: 'Reported lost. Never told to the caller.',
  stolen_card: 'Reported stolen. Never told to the caller.',
  expired_card: 'Past its expiry.',
  incorrect_number: 'No account has this number.',
  incorrect_cvc: 'The security code does not match.',
  incorrect_expiry: 'The expiry date does not match.',
  incorrect_zip: 'The postal code does not match.',
  card_not_supported: 'The card cannot be used for this kind of purchase.',
  authentication_required:
    'The issuer wants the cardholder to confirm the payment (3-D Secure), which only the pay page can ask for; or it asked there, and nobody confirmed in time.',
  processing_error: 'The issuer, or the network to it, had an error.',
  try_again_later: 'The issuer wants a later attempt.',
};

export function ErrorCodesPage({ routes, docsUrl }: { routes: readonly OperationRoute[]; docsUrl: string }) {
  return (
    <>
      <h1>Error codes</h1>
      <p class="lead">
        Every failing answer has the same body. Branch on <code>code</code>, not on the message.
      </p>
      <CodeBlock text={example(docsUrl)} />
      <ul>
        <li>
          <code>audience</code> <strong>developer</strong>: the integration is at fault. There is nothing to say on the
          call: <code>agent_message</code>, <code>display_message</code> and <code>agent_action</code> are null, and the
          agent does not raise payment.
        </li>
        <li>
          <code>audience</code> <strong>caller</strong>: it concerns the person on the call. Say{' '}
          <code>agent_message</code> as it stands, then do <code>agent_action</code>. The words are in the session's{' '}
          <code>language</code>, else the merchant's, where we have them in it (
          <code>{SPOKEN_LANGUAGES.join(', ')}</code>), and in English else and where no merchant is known; this page has
          the English ones.
        </li>
        <li>
          <code>advice_code</code> is for the program. <code>try_again_later</code>: the same request may succeed later.{' '}
          <code>do_not_try_again</code>: it will not. <code>confirm_card_data</code>: it may, once the caller has
          checked what was keyed. A decline may say <code>do_not_try_again</code> of this card and still offer a
          different one.
        </li>
        <li>
          <code>param</code> names the field, parameter or header at fault; <code>decline_code</code>,{' '}
          <code>processor_code</code> and <code>charge</code> are there where they apply.
        </li>
        <li>
          Of a saved card no code can be checked: there every decline offers a different card. Where no pay link can be
          texted (the service makes none, the number answered STOP, live mode has no carrier),{' '}
          <code>needs_enrollment</code> and <code>processor_mismatch</code> say nothing of a link, and their action is{' '}
          <code>offer_different_card</code>.
        </li>
        <li>
          One error of a developer's code is for the caller: <code>charge_details_mismatch</code> of a charge or a pay
          link whose order another session has paid, or is paying. Its <code>audience</code> is <code>caller</code>, and
          its <code>agent_message</code> says that the order is paid.
        </li>
        <li>
          A failed charge inside a 200 answer or an event has the same object, as <code>failure</code>.
        </li>
        <li>
          Quote <code>request_id</code>, which is also the <code>X-Request-Id</code> header, when you ask for help.
        </li>
      </ul>
      <h2 id="agent-actions">What the agent does</h2>
      <Table
        head={['agent_action', 'What it asks for']}
        rows={[
          ...Object.entries(ACTIONS).map(([action, what]) => [<code>{action}</code>, what]),
          [<code>null</code>, 'Nothing. With an `agent_message`: say it, and go on with the call.'],
        ]}
      />
      <h2 id="retries">Sending it again</h2>
      <ul>
        <li>
          <strong>429</strong> and <strong>503</strong>: after the seconds in <code>Retry-After</code>. A 503 is{' '}
          <code>internal_error</code> while the service restarts or is late with an answer.
        </li>
        <li>
          <strong>500</strong>, or no answer at all: at once or a little later, a POST with the same{' '}
          <code>Idempotency-Key</code>, so that nothing happens twice.
        </li>
        <li>
          <strong>424 processor_unavailable</strong> of <code>charge</code>: take no other payment. The outcome is
          unknown; it comes by webhook, the session reads it, and the same request with the same{' '}
          <code>Idempotency-Key</code> learns it: that makes no second charge.
        </li>
        <li>
          <strong>424 order_lookup_failed</strong>: again when the order may be there, also with the same{' '}
          <code>Idempotency-Key</code>.
        </li>
        <li>
          Every other <strong>4xx</strong>: change the request, or what it is about, first. An{' '}
          <code>Idempotency-Key</code> has kept the answer: use a new one then. A body that comes too slowly is 408,
          headers over 16 KiB are 431, both with a code of this page.
        </li>
      </ul>
      <h2 id="declines">Declines</h2>
      <p>
        A{' '}
        <a href="#card_declined">
          <code>card_declined</code>
        </a>{' '}
        says by its <code>decline_code</code> what the issuer means. Words, action and advice follow it:
      </p>
      {DECLINE_CODES.map((name) => (
        <DeclineSection key={name} name={name} />
      ))}
      <h2 id="all">All codes</h2>
      {ERROR_CODES.map((name) => (
        <ErrorSection key={name} name={name} routes={routes} />
      ))}
    </>
  );
}

function example(docsUrl: string): string {
  const facts = { declineCode: 'insufficient_funds', charge: 'ch_x6ueh4kxj94cewxy97eft8edv6' } as const;
  const error = errorObject('card_declined', facts, { requestId: 'req_6majmj8hdw8gdrntcg6be6wnt6', docsUrl });
  return `HTTP/1.1 402 Payment Required\n\n${JSON.stringify({ error }, null, 2)}`;
}

function DeclineSection({ name }: { name: DeclineCode }) {
  const { advice, action, agentMessage } = errorEntry('card_declined', name);
  return (
    <section class="error" id={`decline-${name}`}>
      <h3>
        <a href={`#decline-${name}`}>{name}</a>
      </h3>
      <p>{marked(DECLINES[name])}</p>
      <AgentMessage text={agentMessage} />
      <ul class="facts">
        <li>{advice}</li>
        {action !== null && <li>then: {action}</li>}
      </ul>
    </section>
  );
}

function ErrorSection({ name, routes }: { name: ErrorCode; routes: readonly OperationRoute[] }) {
  const { status, type, audience, message, advice, action, agentMessage } = errorEntry(name);
  const own = routes.filter((route) => errorsOf(route).includes(name)).map(({ id }) => id);
  return (
    <section class="error" id={name}>
      <h3>
        <a href={`#${name}`}>{name}</a>
      </h3>
      <p>{marked(message)}</p>
      <AgentMessage text={agentMessage} />
      <ul class="facts">
        <li>HTTP {status}</li>
        <li>{type}</li>
        <li>{audience}</li>
        <li>{advice}</li>
        {action !== null && <li>then: {action}</li>}{' '}
        {own.length > 0 && (
          <li>
            from: <OperationLinks ids={own} />
          </li>
        )}
      </ul>
    </section>
  );
}

const AgentMessage = ({ text }: { text: string | null }) =>
  text !== null && (
    <blockquote>
      <small>The agent says</small>
      {text}
    </blockquote>
  );

const MOST = 6;

const OperationLinks = ({ ids }: { ids: readonly string[] }) =>
  ids.length > MOST
    ? 'most operations'
    : ids.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <a href={`/docs#${id}`}>{id}</a>
        </Fragment>
      ));
