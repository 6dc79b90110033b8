/** The page of a test call: its state, transcript, recording, result and code snippets. */

import type { CallStage } from '../../../domain/call.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { Form } from '../form/form.tsx';
import { Badge, Block, CopyButton, Id, Json, Money, Notice, sentence, type Tone } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { TestCallFacts } from './live.ts';
import { PLATFORMS } from './platforms.ts';
import type { TestCall } from './ports.ts';
import type { Snippet } from './snippet.ts';
import { TestCallSteps } from './steps.tsx';

/** What the line is doing. */
const STAGES: Readonly<Record<CallStage, string>> = {
  greeting: 'The line greets the caller',
  card_number: 'The line asks for the card number',
  expiry: 'The line asks for the expiry date',
  security_code: 'The line asks for the security code',
  bank_account: 'The line asks for a bank account',
  postal_code: 'The line asks for the postal code',
  keep_card: 'The line asks whether to keep the card',
  confirmation: 'The line reads back the card and asks for a 1',
  paying: 'The card is being charged',
  by_link: 'The line has texted the link and is waiting',
  waiting: 'The line is waiting for the payment',
  leaving: 'The line says the outcome',
  returning: 'The caller returns to the agent',
  ended: 'The call has ended',
};

interface TestCallProps {
  visit: Visit;
  call: TestCall;
  facts: TestCallFacts;
}

interface TestCallPageProps extends TestCallProps {
  title: string;
  snippets: readonly Snippet[];
  /** The platform of the snippets; any other text for none. */
  platform: string;
}

export function TestCallPage(props: TestCallPageProps) {
  const { visit, call, facts, title, snippets, platform } = props;
  const { checkout } = call;
  const isLive = !facts.isOver;
  const stream = `${visit.base}/try/${call.id}/events`;
  return (
    <div {...(isLive && { 'hx-ext': 'sse', 'sse-connect': stream, 'sse-close': 'over' })} data-test-call={call.id}>
      {visit.query.notice === 'again' && (
        <Notice tone="calm" title="This form was already submitted">
          This is the call that it placed. To place another one, select “New call”.
        </Notice>
      )}
      <div class="head">
        <div class="object">
          <p class="kind">
            Test call to <bdi>{checkout.businessName}</bdi> · <Id id={checkout.sessionId} />
          </p>
          <h1>
            {title} <Money cents={checkout.amountCents} currency={checkout.currency} />
          </h1>
        </div>
        <div class="actions">
          {isLive && (
            <span class="badge" data-live-state>
              Connecting
            </span>
          )}
          <a class="button" href={`${visit.base}/try`}>
            New call
          </a>
        </div>
      </div>
      <div class="columns wide">
        <div>
          <div class="call-bar">
            <div class="call-state" role="status" sse-swap="state">
              <TestCallState {...props} />
            </div>
            <div sse-swap="actions">
              <TestCallActions {...props} />
            </div>
          </div>
          <Block title="Transcript">
            <div sse-swap="steps">
              <TestCallSteps call={call} />
            </div>
          </Block>
          <div class="call-after" sse-swap="after">
            <TestCallAfter {...props} />
          </div>
        </div>
        <aside aria-label="For the integrator">
          <PlatformChoice chosen={platform} />
          {snippets.map((snippet) => (
            <SnippetBlock key={snippet.title} snippet={snippet} />
          ))}
        </aside>
      </div>
    </div>
  );
}

/** Shows the page again with the snippets of the chosen platform. */
function PlatformChoice({ chosen }: { chosen: string }) {
  const page = PLATFORMS.get(chosen)?.page ?? '/docs/voice-platforms';
  return (
    <form class="field" method="get">
      <label for="platform">Your voice platform</label>
      <select id="platform" name="platform">
        <option value="">Any, by SIP</option>
        {[...PLATFORMS].map(([name, { title }]) => (
          <option key={name} value={name} selected={name === chosen}>
            {title}
          </option>
        ))}
      </select>
      <button type="submit">Show its code</button>
      <p class="hint">
        <a href={page}>What to paste, and how the outcome comes back</a>
      </p>
    </form>
  );
}

function SnippetBlock({ snippet: { title, about, code } }: { snippet: Snippet }) {
  return (
    <section class="block snippet">
      <h2>
        {title} <CopyButton text={code} label={`Copy ${title}`} />
      </h2>
      <p class="quiet small">{about}</p>
      <CodeBlock text={code} />
    </section>
  );
}

/** What the line is doing. After the call: the outcome and the recording. */
export function TestCallState({ visit, call, facts }: TestCallProps) {
  if (facts.isOver) return <Result visit={visit} call={call} facts={facts} />;
  const stage = facts.onLine?.stage ?? null;
  return (
    <p class="on-line">
      <Badge status="On the line" tone="wait" /> {stage === null ? 'The caller dials' : STAGES[stage]}
    </p>
  );
}

/** A separate part, so that updates of other parts do not take the focus from the button. */
export function TestCallActions({ visit, call, facts }: TestCallProps) {
  if (facts.isOver) return null;
  return <Form visit={visit} action={`/try/${call.id}/hang-up`} submit="Hang up" tone="danger" />;
}

const FAILED =
  'The scripted caller’s process ended before its call did. The service is still running, and its log has the exit code.';

function Result({ visit, call, facts }: TestCallProps) {
  return (
    <div class="result">
      <p>
        <Badge {...outcomeBadge(call, facts)} /> {call.state === 'failed' ? FAILED : sentence(call.ending ?? '')}
      </p>
      {call.recording !== null && (
        <figure>
          <figcaption class="small quiet">What the caller heard</figcaption>
          {/* biome-ignore lint/a11y/useMediaCaption: its words are shown below, with their times. */}
          <audio controls preload="metadata" src={`${visit.base}/try/${call.id}/recording.wav`} />
        </figure>
      )}
      <p class="links">
        {linksOf(visit, call, facts).map(([path, text]) => (
          <a key={path} href={visit.base + path}>
            {text}
          </a>
        ))}
      </p>
    </div>
  );
}

/** Links to existing pages. */
function linksOf({ knownPaths }: Visit, { checkout }: TestCall, { onLine, session }: TestCallFacts) {
  const links = [
    ['/calls', onLine?.call_id, 'The call, step by step'],
    ['/charges', session?.charge?.charge_id, 'The charge'],
    ['/checkouts', checkout.sessionId, 'The checkout'],
  ] as const;
  return links.flatMap(([path, id, text]) =>
    id !== undefined && knownPaths.has(`${path}/:id`) ? [[`${path}/${id}`, text] as const] : [],
  );
}

/** What the integrator receives: the headers of the returning call, and the events. */
export function TestCallAfter({ visit, call, facts: { isOver, events } }: TestCallProps) {
  if (!isOver) return null;
  return (
    <>
      <Headers headers={call.headers} />
      {events.length > 0 && (
        <Block title="Webhook events">
          {events.map((event) => (
            <details key={event.id} class="payload">
              <summary>
                <code>{event.type}</code>
              </summary>
              <Json value={event} label={`Body of ${event.type}`} />
              <p class="links">
                <a href={`${visit.base}/events/${event.id}`}>The event</a>
              </p>
            </details>
          ))}
        </Block>
      )}
    </>
  );
}

function outcomeBadge(
  { state, checkout }: TestCall,
  { onLine, session }: TestCallFacts,
): { status: string; tone: Tone } {
  if (state === 'failed') return { status: 'Interrupted', tone: 'bad' };
  const charge = session?.charge?.status;
  if (charge === 'succeeded') return { status: checkout.amountCents === 0 ? 'Card saved' : 'Paid', tone: 'good' };
  if (charge === 'authorized') return { status: 'Held', tone: 'good' };
  if (charge === 'pending') return { status: 'Pending', tone: 'wait' };
  if (charge === 'failed') return { status: 'Declined', tone: 'bad' };
  const nothing = checkout.amountCents === 0 ? 'Not saved' : 'Unpaid';
  return { status: onLine?.outcome === 'agent' ? 'Back with the agent' : nothing, tone: 'plain' };
}

/** The headers of the returning call, as the agent's side receives them. */
function Headers({ headers }: { headers: TestCall['headers'] }) {
  // User-to-User repeats the same values.
  const lines = Object.entries(headers).filter(([name]) => name.startsWith('X-'));
  if (lines.length === 0) return null;
  return (
    <Block title="Headers for the agent">
      <dl class="headers">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Block>
  );
}
