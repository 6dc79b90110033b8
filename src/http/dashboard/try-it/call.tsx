/** The page of a test call: its state, transcript, recording, result and code snippets. */

import { CodeBlock } from '../../shared/document.tsx';
import { Form } from '../form/form.tsx';
import { InEnglish } from '../page/english.tsx';
import { Badge, Block, CopyButton, Id, Json, Money, Notice, sentence, type Tone } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { TestCallFacts } from './live.ts';
import { PLATFORMS } from './platforms.ts';
import type { TestCall } from './ports.ts';
import type { Snippet } from './snippet.ts';
import { TestCallSteps } from './steps.tsx';
import { tryWords } from './words/index.ts';

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
  const w = tryWords().call;
  const stream = `${visit.base}/try/${call.id}/events`;
  return (
    <div {...(isLive && { 'hx-ext': 'sse', 'sse-connect': stream, 'sse-close': 'over' })} data-test-call={call.id}>
      {visit.query.notice === 'again' && (
        <Notice tone="calm" title={w.again.title}>
          {w.again.text}
        </Notice>
      )}
      <div class="head">
        <div class="object">
          <p class="kind">
            {w.to(<bdi>{checkout.businessName}</bdi>)} · <Id id={checkout.sessionId} />
          </p>
          <h1>
            {title} <Money cents={checkout.amountCents} currency={checkout.currency} />
          </h1>
        </div>
        <div class="actions">
          {isLive && (
            <span class="badge" data-live-state>
              {w.connecting}
            </span>
          )}
          <a class="button" href={`${visit.base}/try`}>
            {w.newCall}
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
          <Block title={w.transcript}>
            <div sse-swap="steps">
              <TestCallSteps call={call} />
            </div>
          </Block>
          <div class="call-after" sse-swap="after">
            <TestCallAfter {...props} />
          </div>
        </div>
        <aside aria-label={w.forIntegrator}>
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
  const w = tryWords().call;
  return (
    <form class="field" method="get">
      <label for="platform">{w.platform}</label>
      <select id="platform" name="platform">
        <option value="">{w.anyPlatform}</option>
        {[...PLATFORMS].map(([name, { title }]) => (
          <option key={name} value={name} selected={name === chosen}>
            {title}
          </option>
        ))}
      </select>
      <button type="submit">{w.showCode}</button>
      <p class="hint">
        <a href={page}>{w.platformHint}</a>
      </p>
    </form>
  );
}

function SnippetBlock({ snippet: { title, about, code } }: { snippet: Snippet }) {
  return (
    <section class="block snippet">
      <h2>
        {title} <CopyButton text={code} label={tryWords().call.copy(title)} />
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
  const w = tryWords().call;
  return (
    <p class="on-line">
      <Badge status="live" name={w.onTheLine} tone="wait" /> {stage === null ? w.dials : w.stages[stage]}
    </p>
  );
}

/** A separate part, so that updates of other parts do not take the focus from the button. */
export function TestCallActions({ visit, call, facts }: TestCallProps) {
  if (facts.isOver) return null;
  return <Form visit={visit} action={`/try/${call.id}/hang-up`} submit={tryWords().call.hangUp} tone="danger" />;
}

/** The caller's program reports how its call ended in English. */
function Result({ visit, call, facts }: TestCallProps) {
  const w = tryWords().call;
  return (
    <div class="result">
      <p>
        <Badge {...outcomeBadge(call, facts)} />{' '}
        {call.state === 'failed' ? w.failed : <InEnglish text={sentence(call.ending ?? '')} />}
      </p>
      {call.recording !== null && (
        <figure>
          <figcaption class="small quiet">{w.heard}</figcaption>
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
  const w = tryWords().call.links;
  const links = [
    ['/calls', onLine?.call_id, w.call],
    ['/charges', session?.charge?.charge_id, w.charge],
    ['/checkouts', checkout.sessionId, w.checkout],
  ] as const;
  return links.flatMap(([path, id, text]) =>
    id !== undefined && knownPaths.has(`${path}/:id`) ? [[`${path}/${id}`, text] as const] : [],
  );
}

/** What the integrator receives: the headers of the returning call, and the events. */
export function TestCallAfter({ visit, call, facts: { isOver, events } }: TestCallProps) {
  if (!isOver) return null;
  const w = tryWords().call;
  return (
    <>
      <Headers headers={call.headers} />
      {events.length > 0 && (
        <Block title={w.events}>
          {events.map((event) => (
            <details key={event.id} class="payload">
              <summary>
                <code>{event.type}</code>
              </summary>
              <Json value={event} label={w.bodyOf(event.type)} />
              <p class="links">
                <a href={`${visit.base}/events/${event.id}`}>{w.event}</a>
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
): { status: string; name: string; tone: Tone } {
  const w = tryWords().call.badges;
  if (state === 'failed') return { status: 'failed', name: w.interrupted, tone: 'bad' };
  const charge = session?.charge?.status;
  if (charge === 'succeeded')
    return { status: charge, name: checkout.amountCents === 0 ? w.saved : w.paid, tone: 'good' };
  if (charge === 'authorized') return { status: charge, name: w.held, tone: 'good' };
  if (charge === 'pending') return { status: charge, name: w.pending, tone: 'wait' };
  if (charge === 'failed') return { status: charge, name: w.declined, tone: 'bad' };
  const nothing = checkout.amountCents === 0 ? w.notSaved : w.unpaid;
  return { status: 'unpaid', name: onLine?.outcome === 'agent' ? w.agent : nothing, tone: 'plain' };
}

/** The headers of the returning call, as the agent's side receives them. */
function Headers({ headers }: { headers: TestCall['headers'] }) {
  // User-to-User repeats the same values.
  const lines = Object.entries(headers).filter(([name]) => name.startsWith('X-'));
  if (lines.length === 0) return null;
  return (
    <Block title={tryWords().call.headers}>
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
