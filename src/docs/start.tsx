/** `/docs`: the first page, with every operation and a curl that runs. Readable without JavaScript. */
import { CodeBlock } from '../markup/code-block.tsx';
import { Prose } from './markdown.tsx';
import { type CurlPlace, curlOf } from '../api/reference/curl.ts';
import { errorsOf } from '../api/reference/errors.ts';
import { GROUPS, keysSentence, type OperationRoute } from '../api/reference/operation.ts';

interface Operations {
  routes: readonly OperationRoute[];
  place: CurlPlace;
}

export function StartPage({ routes, place }: Operations) {
  const first = routes.find(({ id }) => id === 'create_checkout');
  return (
    <>
      <h1>Take a card payment during a phone call</h1>
      <p class="lead">
        A voice agent opens a checkout and transfers the caller to the address that comes back. Ringkey says the amount,
        takes the card on the keypad, charges it, and brings the caller back with the outcome. Card data never reaches
        the agent.
      </p>
      <p>
        <a href="/docs/quickstart">Quickstart</a>: from nothing to a paid call.{' '}
        <a href="/docs/voice-platforms">Voice platforms</a>: the tool, the transfer, what the agent says.{' '}
        <a href="/docs/going-live">Going live</a>: real money.
      </p>
      <h2 id="one-request">One request</h2>
      {first !== undefined && <CodeBlock text={curlOf(first, routes, place)} />}
      <p>
        Say <code>agent_message</code>. When <code>transfer_to</code> is not null, transfer the call there; the caller
        comes back to <code>return_to</code> with the outcome in <a href="/docs/sip-headers">SIP headers</a>. The{' '}
        <a href="/docs/events">webhook</a> <code>checkout.completed</code> is the source of truth.
      </p>
      <h2 id="everywhere">What holds everywhere</h2>
      <ul>
        <li>
          <strong>Keys.</strong> <code>Authorization: Bearer rk_test_…</code> for the sandbox, <code>rk_live_…</code>{' '}
          for real money. Paths and shapes are the same. Give the voice agent a key of the scope <code>agent</code>,
          which takes payments and does nothing else;{' '}
          <a href="/docs#create_key">
            one of the scope <code>full</code>
          </a>{' '}
          does all that REST has.
        </li>
        <li>
          <strong>Money</strong> is an integer in the currency's minor units; <strong>times</strong> are ISO 8601 in
          UTC; <strong>ids</strong> are opaque.
        </li>
        <li>
          <strong>Errors</strong> all have <a href="/docs/api-reference/error-codes">one shape</a>.
        </li>
        <li>
          <strong>Nothing said.</strong> <code>null</code> and an empty text count as absent in every optional field of
          a request; only the amount of a refund has to be left out to mean all of it.
        </li>
        <li>
          <strong>Idempotency.</strong> Send <code>Idempotency-Key</code> with a POST: sent again within 24 hours, it
          gives the first answer again (<code>Idempotent-Replayed: true</code>) and nothing happens twice. With other
          details it is refused: 409.
        </li>
        <li>
          <strong>Limits.</strong> 100 requests a second a key, 200 at once; <code>RateLimit-*</code> headers say what
          is left, <code>Retry-After</code> when to come back after a 429. Bodies up to 64 KiB.
        </li>
        <li>
          <strong>Requests</strong> are JSON in UTF-8, answers too. Every answer has an <code>X-Request-Id</code>.
        </li>
        <li>
          <strong>Versions.</strong> The version is in the path, <code>/v1</code>. Fields, kinds of events and codes may
          be added to it: ignore what you do not know.
        </li>
        <li>
          <strong>Lists</strong> take <code>limit</code> (1 to 100, else 20) and <code>starting_after</code> (an id),
          and answer <code>has_more</code>.
        </li>
      </ul>
      <h2 id="operations">Operations</h2>
      <p>
        Each with a command that runs as it stands. Every field is in the{' '}
        <a href="/docs/api-reference">API reference</a>.
      </p>
      {Object.keys(GROUPS).map((group) => (
        <GroupSection key={group} group={group} routes={routes} place={place} />
      ))}
    </>
  );
}

function GroupSection({ group, routes, place }: Operations & { group: string }) {
  const members = routes.filter((route) => route.group === group);
  if (members.length === 0) return null;
  return (
    <>
      <h3>{group}</h3>
      {members.map((route) => (
        <Operation key={route.id} route={route} routes={routes} place={place} />
      ))}
    </>
  );
}

const Operation = ({ route, routes, place }: Operations & { route: OperationRoute }) => (
  <details>
    <summary>
      <span class={`method ${route.method}`}>{route.method.toUpperCase()}</span>
      <span class="path">{route.path}</span>
      <span class="what">{route.summary}</span>
    </summary>
    <div id={route.id}>
      <Prose text={`${route.description}\n\n${keysSentence(route)}`} />
      <CodeBlock text={curlOf(route, routes, place)} />
      <ul class="facts">
        {errorsOf(route).map((name) => (
          <li key={name}>
            <a href={`/docs/api-reference/error-codes#${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  </details>
);
