/** The generated parts of the page of error codes: the example, the agent's actions, the declines and all codes. */
import { Fragment } from 'preact';
import { type AgentAction, ERROR_CODES, type ErrorCode } from '../../../contract/error-catalogue.ts';
import { errorEntry, errorObject } from '../../../contract/errors.ts';
import { DECLINE_CODES, type DeclineCode } from '../../../domain/charge.ts';
import { errorsOf } from '../../api/reference/errors.ts';
import type { OperationRoute } from '../../api/reference/operation.ts';
import { MarkdownLine, Table } from '../markdown.tsx';

/** In the order in which an agent meets them. */
const ACTIONS: Record<AgentAction, string> = {
  retry_card:
    'Have the caller check the card and enter it again on the payment line. Never ask for a card number aloud.',
  offer_different_card: 'Offer another saved card, the payment line, or a link if pay links can be sent.',
  send_link: 'Text a pay link with `send_link`. Say that a text is coming only if `sent` is true.',
  escalate: 'Hand the call over to a person at the merchant.',
  end_call: 'Say goodbye.',
};

/** What each decline code means, for the developer. The words for the caller are in the catalogue. */
const DECLINES: Record<DeclineCode, string> = {
  generic_decline: 'The issuer gave no reason, or the processor has its own: see `processor_code`.',
  do_not_honor: 'The issuer declined without a reason.',
  insufficient_funds: 'The balance is too low, or the amount exceeds a limit.',
  lost_card: 'The card was reported lost. Never tell the caller.',
  stolen_card: 'The card was reported stolen. Never tell the caller.',
  expired_card: 'The card has expired.',
  incorrect_number: 'The card number does not exist.',
  incorrect_cvc: 'The security code does not match.',
  incorrect_expiry: 'The expiry date does not match.',
  incorrect_zip: 'The postal code does not match.',
  card_not_supported: 'The card cannot be used for this kind of purchase.',
  authentication_required:
    'The issuer requires the cardholder to confirm the payment (3-D Secure). Only the pay page can ask for this. On the pay page, it means that the payment was not confirmed in time.',
  processing_error:
    'The card could not be processed and the issuer made no decision. The processor or the network had an error, or the processor never received the charge. `message` says which.',
  try_again_later: 'The processor or the issuer was unavailable. Try again later.',
};

export const AgentActions = () => (
  <Table
    head={['agent_action', 'What the agent does']}
    rows={[
      ...Object.entries(ACTIONS).map(([action, what]) => [<code>{action}</code>, what]),
      [<code>null</code>, 'Nothing. If there is an `agent_message`, say it and continue the call.'],
    ]}
  />
);

export const Declines = () => (
  <>
    {DECLINE_CODES.map((name) => (
      <DeclineSection key={name} name={name} />
    ))}
  </>
);

export const ErrorCodes = ({ routes }: { routes: readonly OperationRoute[] }) => (
  <>
    {ERROR_CODES.map((name) => (
      <ErrorSection key={name} name={name} routes={routes} />
    ))}
  </>
);

export function errorExample(docsUrl: string): string {
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
      <p>
        <MarkdownLine text={DECLINES[name]} />
      </p>
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
      <p>
        <MarkdownLine text={message} />
      </p>
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
