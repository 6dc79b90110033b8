/** `/start`: the first steps of an integration. Each is checked off once it is done. */

import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';
import { DEMO_KEY } from '../../../contract/demo.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { ChecklistItem } from '../page/checklist.tsx';
import { renderPart } from '../page/layout.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { CopyButton } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { readStartFacts, STEP_IDS, type StartFacts, type StepId } from './facts.ts';

export const gettingStartedPages: AddPages = ({ page, news }) => {
  page('/start', showStart);
  news('/start/changes', sendChanges);
};

interface Step {
  title: string;
  about: ComponentChildren;
  /** A shell command. */
  command: string | null;
  /** Within the mode. Shown only if the page exists. */
  page: readonly [path: string, text: string] | null;
  docs: readonly [path: string, text: string];
}

async function showStart(visit: Visit): Promise<View> {
  const facts = await readStartFacts(visit);
  return { title: 'Getting started', section: 'start', body: <Checklist visit={visit} facts={facts} /> };
}

/** Polled by the open page: the whole list if it has changed, otherwise 204, which htmx ignores. */
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
              ? 'All done. This account can take payments by phone.'
              : 'From a new account to a paid call. Each step is checked off once you complete it here or through the API.'}
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
    <ChecklistItem title={title} isDone={isDone} state={isDone ? 'done' : 'not done yet'}>
      {!isDone && (
        <>
          <p>{about}</p>
          {command !== null && <Command text={command} what={title} />}
          <p class="links">
            {page !== null && isKnown(visit, page[0]) && <a href={visit.base + page[0]}>{page[1]}</a>}
            <a href={docs[0]}>{docs[1]}</a>
          </p>
        </>
      )}
    </ChecklistItem>
  );
}

/** Pages of single objects are known by their pattern. */
const isKnown = ({ knownPaths }: Visit, path: string) =>
  knownPaths.has(path) || knownPaths.has(path.replace(/\/mer_[^/]+/, '/:id'));

function Command({ text, what }: { text: string; what: string }) {
  return (
    <div class="command">
      <CodeBlock text={text} />
      <CopyButton text={text} label={`Copy the command: ${what}`} />
    </div>
  );
}

/** The sandbox exists in test mode only. */
const processorOf = (mode: Visit['mode']) =>
  mode === 'test' ? { processor: 'sandbox' } : { processor: 'stripe', credentials: { secret_key: 'sk_live_…' } };

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
    merchant: {
      title: 'Create a merchant',
      about: 'A merchant is the business that gets paid. Each checkout names one.',
      command: post('merchants', { business_name: 'Corner Bakery', currency: 'USD' }),
      page: ['/setup/merchants/new', 'Create a merchant'],
      docs: ['/docs/going-live', 'Going live'],
    },
    processor: {
      title: 'Connect its processor',
      about:
        mode === 'test'
          ? 'The sandbox accepts test cards. You can also connect a processor’s own test account.'
          : 'Payments go to the merchant’s own account at its processor.',
      command: post(`merchants/${merchant}/processor`, processorOf(mode)),
      page:
        merchantId === null ? ['/setup/merchants', 'Merchants'] : [`/setup/merchants/${merchantId}`, 'The merchant'],
      docs: ['/docs/going-live', 'Processors and credentials'],
    },
    key: {
      title: 'Create a key',
      about:
        'Your agent’s backend authenticates with it. A key with the scope “agent” can take payments but cannot create refunds or keys.',
      command: user.isDemo
        ? post('keys', { name: 'Voice agent', scope: 'agent' }).replace('$RINGKEY_KEY', DEMO_KEY)
        : null,
      page: ['/setup', 'API keys'],
      docs: ['/docs/quickstart#agent-key', 'About keys'],
    },
    checkout: {
      title: 'Create a checkout',
      about:
        'Your agent’s tool does this when the order is ready to pay. The response has the message to say and the address to transfer the call to.',
      command: post('create_checkout', {
        merchant_id: merchant,
        amount_cents: 4_250,
        caller_phone: '+15550101234',
      }),
      page: null,
      docs: ['/docs/quickstart#open', 'Quickstart'],
    },
    call: {
      title: 'Take a payment on a call',
      about:
        mode === 'test'
          ? 'Place a test call from the browser, or dial transfer_to yourself and enter 4242 4242 4242 4242.'
          : 'Your agent transfers a caller, who pays during the call.',
      command: mode === 'test' && user.isDemo ? 'npm run call' : null,
      page: mode === 'test' ? ['/try', 'Try it'] : ['/calls', 'Calls'],
      docs: ['/docs/voice-platforms', 'Connect your voice platform'],
    },
    webhook: {
      title: 'Receive a webhook',
      about: hasEndpoint
        ? 'Your endpoint has not responded with 2xx to any event yet. Its page lists the failed deliveries.'
        : 'Register an endpoint. “checkout.completed” is the final outcome of each checkout.',
      command: hasEndpoint
        ? null
        : post('webhook_endpoints', { url: 'https://your.example.com/webhooks', events: ['checkout.completed'] }),
      page: ['/setup', 'Webhook endpoints'],
      docs: ['/docs/events', 'Events and webhooks'],
    },
  };
}
