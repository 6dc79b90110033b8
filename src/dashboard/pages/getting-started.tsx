/** `/start`: the first steps of an integration, which tick themselves. */
import { CodeBlock } from '../../markup/code-block.tsx';
import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';
import { DEMO_KEY } from '../../contract/demo.ts';
import type { AddPages, View } from '../page-routes.ts';
import { readStartFacts, STEP_IDS, type StartFacts, type StepId } from '../start/facts.ts';
import { renderPart } from '../views/layout.tsx';
import { Icon } from '../views/icons.tsx';
import { CopyButton } from '../views/parts.tsx';
import type { Visit } from '../visit.ts';

export const gettingStartedPages: AddPages = ({ page, news }) => {
  page('/start', showStart);
  news('/start/changes', sendChanges);
};

interface Step {
  title: string;
  about: ComponentChildren;
  /** A shell command. */
  command: string | null;
  /** Within the mode; shown where there is such a page. */
  page: readonly [path: string, text: string] | null;
  docs: readonly [path: string, text: string];
}

async function showStart(visit: Visit): Promise<View> {
  const facts = await readStartFacts(visit);
  return { title: 'Getting started', section: 'start', body: <Checklist visit={visit} facts={facts} /> };
}

/** For the page that is open: the whole list where it has changed since, else 204, which htmx leaves alone. */
async function sendChanges(visit: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const facts = await readStartFacts(visit);
  if (doneText(facts) === visit.query.done) return reply.code(204).send();
  return reply.type('text/html; charset=utf-8').send(renderPart(<Checklist visit={visit} facts={facts} />));
}

const doneText = ({ done }: StartFacts) => [...done].join(' ');

function Checklist({ visit, facts }: { visit: Visit; facts: StartFacts }) {
  const steps = stepsOf(visit, facts);
  const [done, all] = [facts.done.size, STEP_IDS.length];
  const changes = `${visit.base}/start/changes?done=${encodeURIComponent(doneText(facts))}`;
  return (
    <div id="start" hx-get={changes} hx-trigger="every 3s" hx-swap="outerHTML">
      <div class="head">
        <div>
          <h1>Getting started</h1>
          <p class="lead">
            {done === all
              ? 'All done: this account takes payments on the phone.'
              : 'From nothing to a paid call. Each step ticks itself when it has happened, here or by your own code.'}
          </p>
        </div>
        <p class="progress">
          <span class="quiet small" role="status">
            {done} of {all} done
          </span>
          <progress max={all} value={done} aria-label={`${done} of ${all} steps done`} />
        </p>
      </div>
      <ol class="checklist">
        {STEP_IDS.map((id) => (
          <ChecklistStep key={id} visit={visit} step={steps[id]} isDone={facts.done.has(id)} />
        ))}
      </ol>
    </div>
  );
}

function ChecklistStep({ visit, step, isDone }: { visit: Visit; step: Step; isDone: boolean }) {
  const { title, about, command, page, docs } = step;
  return (
    <li class={isDone ? 'done' : 'open'}>
      <span class="tick">{isDone && <Icon name="check" />}</span>
      <div>
        <h2>
          {title} <span class="unseen">{isDone ? '(done)' : '(not done yet)'}</span>
        </h2>
        {!isDone && (
          <>
            <p>{about}</p>
            {command !== null && <Command text={command} what={title} />}
            <p class="links">
              {page !== null && visit.knownPaths.has(page[0]) && <a href={visit.base + page[0]}>{page[1]}</a>}
              <a href={docs[0]}>{docs[1]}</a>
            </p>
          </>
        )}
      </div>
    </li>
  );
}

function Command({ text, what }: { text: string; what: string }) {
  return (
    <div class="command">
      <CodeBlock text={text} />
      <CopyButton text={text} what={`the command: ${what}`} />
    </div>
  );
}

function stepsOf(visit: Visit, { merchantId, hasEndpoint }: StartFacts): Record<StepId, Step> {
  const { mode, user, origin } = visit;
  const merchant = merchantId ?? 'mer_…';
  const post = (path: string, body: object) =>
    [
      `curl -s ${origin}/v1/${path} \\`,
      '  -H "Authorization: Bearer $RINGKEY_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '${JSON.stringify(body)}'`,
    ].join('\n');
  return {
    key: {
      title: 'Make a key',
      about:
        'Your agent’s backend calls with it. One of the scope “agent” takes payments, and cannot refund or make keys.',
      command: user.isDemo
        ? post('keys', { name: 'Voice agent', scope: 'agent' }).replace('$RINGKEY_KEY', DEMO_KEY)
        : null,
      page: ['/setup', 'Keys in the set-up'],
      docs: ['/docs/quickstart#agent-key', 'About keys'],
    },
    checkout: {
      title: 'Create a checkout',
      about:
        'The agent’s tool does this when the order is ready to pay. The answer says what the agent says, and where to transfer the call.',
      command: post('create_checkout', {
        ...{ merchant_id: merchant, amount_cents: 4_250, caller_phone: '+15550101234' },
      }),
      page: null,
      docs: ['/docs/quickstart#open', 'Quickstart'],
    },
    call: {
      title: 'Have a call paid',
      about:
        mode === 'test'
          ? 'Have the caller of ours dial it from the browser, or dial transfer_to yourself and enter 4242 4242 4242 4242.'
          : 'A caller whom your agent has transferred pays on the line.',
      command: mode === 'test' && user.isDemo ? 'npm run call' : null,
      page: mode === 'test' ? ['/try', 'Try it'] : ['/calls', 'Calls'],
      docs: ['/docs/voice-platforms', 'Point your voice platform at it'],
    },
    webhook: {
      title: 'Receive a webhook',
      about: hasEndpoint
        ? 'Your endpoint has not answered 2xx to any event yet. Its failures stand beside it.'
        : 'Register an endpoint: “checkout.completed” is the last word on what is paid.',
      command: hasEndpoint
        ? null
        : post('webhook_endpoints', { url: 'https://your.example.com/webhooks', events: ['checkout.completed'] }),
      page: ['/setup', 'Webhook endpoints in the set-up'],
      docs: ['/docs/events', 'Events and webhooks'],
    },
    processor: {
      title: 'Connect a processor',
      about:
        mode === 'test'
          ? 'The sandbox takes test cards. Connect the merchant’s own Stripe or Square account, in its test mode first.'
          : 'The money goes to the merchant’s own Stripe or Square account.',
      command: post(`merchants/${merchant}/processor`, {
        ...{ processor: 'stripe', credentials: { secret_key: mode === 'test' ? 'sk_test_…' : 'sk_live_…' } },
      }),
      page: ['/setup', 'Merchants in the set-up'],
      docs: ['/docs/going-live', 'Going live'],
    },
  };
}
