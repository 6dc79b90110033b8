/** `/start`: the first steps of an integration. Each is checked off once it is done. */

import type { FastifyReply } from 'fastify';
import { DEMO_KEY } from '../../../contract/demo.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { ChecklistItem } from '../page/checklist.tsx';
import { renderPart } from '../page/layout.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { CopyButton } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { readStartFacts, STEP_IDS, type StartFacts, type StepId } from './facts.ts';
import { startWords } from './words/index.ts';

export const gettingStartedPages: AddPages = ({ page, news }) => {
  page('/start', showStart);
  news('/start/changes', sendChanges);
};

interface Step {
  title: string;
  about: string;
  /** A shell command. */
  command: string | null;
  /** Within the mode. Shown only if the page exists. */
  page: readonly [path: string, text: string] | null;
  docs: readonly [path: string, text: string];
}

async function showStart(visit: Visit): Promise<View> {
  const facts = await readStartFacts(visit);
  return { title: startWords().title, section: 'start', body: <Checklist visit={visit} facts={facts} /> };
}

/** Polled by the open page: the whole list if it has changed, otherwise 204, which htmx ignores. */
async function sendChanges(visit: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const facts = await readStartFacts(visit);
  if (doneText(facts) === visit.query.done) return reply.code(204).send();
  return reply.type('text/html; charset=utf-8').send(renderPart(<Checklist visit={visit} facts={facts} />));
}

const doneText = ({ done }: StartFacts) => [...done].join(' ');

function Checklist({ visit, facts }: { visit: Visit; facts: StartFacts }) {
  const w = startWords();
  const steps = stepsOf(visit, facts);
  const [done, all] = [facts.done.size, STEP_IDS.length];
  const changes = `${visit.base}/start/changes?done=${encodeURIComponent(doneText(facts))}`;
  return (
    <div id="start" hx-get={changes} hx-trigger="every 3s" hx-swap="outerHTML">
      <div class="head">
        <div>
          <h1>{w.title}</h1>
          <p class="lead">{done === all ? w.allDone : w.lead}</p>
        </div>
        <p class="progress">
          <span class="quiet small" role="status">
            {w.progress(done, all)}
          </span>
          <progress max={all} value={done} aria-label={w.progressLabel(done, all)} />
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
  const w = startWords();
  return (
    <ChecklistItem title={title} isDone={isDone} state={isDone ? w.done : w.notDone}>
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
      <CopyButton text={text} label={startWords().copyCommand(what)} />
    </div>
  );
}

/** The sandbox exists in test mode only. */
const processorOf = (mode: Visit['mode']) =>
  mode === 'test' ? { processor: 'sandbox' } : { processor: 'stripe', credentials: { secret_key: 'sk_live_…' } };

function stepsOf(visit: Visit, { merchantId, hasEndpoint }: StartFacts): Record<StepId, Step> {
  const { mode, user, origin } = visit;
  const w = startWords();
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
      title: w.merchant.title,
      about: w.merchant.about,
      command: post('merchants', { business_name: 'Corner Bakery', currency: 'USD' }),
      page: ['/setup/merchants/new', w.merchant.page],
      docs: ['/docs/going-live', w.merchant.docs],
    },
    processor: {
      title: w.processor.title,
      about: w.processor.about[mode],
      command: post(`merchants/${merchant}/processor`, processorOf(mode)),
      page:
        merchantId === null
          ? ['/setup/merchants', w.processor.merchants]
          : [`/setup/merchants/${merchantId}`, w.processor.merchant],
      docs: ['/docs/going-live', w.processor.docs],
    },
    key: {
      title: w.key.title,
      about: w.key.about,
      command: user.isDemo
        ? post('keys', { name: 'Voice agent', scope: 'agent' }).replace('$RINGKEY_KEY', DEMO_KEY)
        : null,
      page: ['/setup', w.key.page],
      docs: ['/docs/quickstart#agent-key', w.key.docs],
    },
    checkout: {
      title: w.checkout.title,
      about: w.checkout.about,
      command: post('create_checkout', {
        merchant_id: merchant,
        amount_cents: 4_250,
        caller_phone: '+15550101234',
      }),
      page: null,
      docs: ['/docs/quickstart#open', w.checkout.docs],
    },
    call: {
      title: w.call.title,
      about: w.call.about[mode],
      command: mode === 'test' && user.isDemo ? 'npm run call' : null,
      page: [mode === 'test' ? '/try' : '/calls', w.call.page[mode]],
      docs: ['/docs/voice-platforms', w.call.docs],
    },
    webhook: {
      title: w.webhook.title,
      about: hasEndpoint ? w.webhook.aboutEndpoint : w.webhook.about,
      command: hasEndpoint
        ? null
        : post('webhook_endpoints', { url: 'https://your.example.com/webhooks', events: ['checkout.completed'] }),
      page: ['/setup', w.webhook.page],
      docs: ['/docs/events', w.webhook.docs],
    },
  };
}
