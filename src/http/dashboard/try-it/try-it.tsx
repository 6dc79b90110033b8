/** `/try`: places a test call from the browser and shows its progress. */
import type { MerchantChoice } from '../../../db/merchants/merchant-records.ts';
import type { Progress } from '../../../notifications/progress/ports.ts';
import { ApiCall } from '../form/api-call.tsx';
import { isMerchantSearch } from '../form/merchants.tsx';
import { readMerchantPicker } from '../list/merchant-picker.tsx';
import { DashboardFault } from '../page/faults.ts';
import { renderPart } from '../page/layout.tsx';
import { liveStreams } from '../page/live-streams.ts';
import type { AddPages, FormFields, PageRoutes, View } from '../page/page-routes.ts';
import { PageHead } from '../page/parts.tsx';
import { sendRecording } from '../page/sound.ts';
import type { Visit } from '../page/visit.ts';
import { TestCallActions, TestCallAfter, TestCallPage, TestCallState } from './call.tsx';
import { NoTestCalls, TryItForm } from './form.tsx';
import { readTestCallFacts, testCallSource } from './live.ts';
import {
  checkoutQuestion,
  type FormFaults,
  firstChoice,
  placeTestCall,
  requireCallerRole,
  type TestCallForm,
  testCallForm,
} from './order.ts';
import { PLATFORMS } from './platforms.ts';
import type { TestCall, TestCalls } from './ports.ts';
import { snippetsOf } from './snippet.ts';
import { TestCallSteps } from './steps.tsx';
import { type TriedProcessor, vendorsOf } from './vendors.ts';
import { tryWords } from './words/index.ts';

interface TryItDeps {
  /** Null if test calls are not available. */
  testCalls: TestCalls | null;
  progress: Pick<Progress, 'subscribe'>;
  processors: readonly TriedProcessor[];
}

export function tryItPages({ testCalls, progress, processors }: TryItDeps): AddPages {
  const openStream = liveStreams<TestCall>();
  return ({ page, attemptPage, action, download, stream, mode, database }) => {
    const calls = mode === 'test' ? testCalls : null;
    const deps = { calls, processors, database };
    const callOf = (visit: Visit<'id'>): TestCall => {
      const call = calls?.find(visit.user.accountId, visit.params.id) ?? null;
      if (call === null) throw new DashboardFault('not_found');
      return call;
    };
    attemptPage('/try', (visit) => showForm(visit, deps, firstChoice(), {}));
    page('/try/:id', (visit) => showCall(visit, callOf(visit)));
    action('/try', async (visit, fields) => {
      if (calls === null) throw new DashboardFault('refused', tryWords().notAvailable, { isOwn: true });
      const form = testCallForm(fields);
      if (isMerchantSearch(fields)) return showForm(visit, deps, form, {}, fields);
      const placed = await placeTestCall(visit, { testCalls: calls, processors }, form);
      if ('faults' in placed) return showForm(visit, deps, form, placed.faults);
      return { to: `/try/${placed.call.id}${placed.isNew ? '' : '?notice=again'}` };
    });
    action('/try/api-call', (visit, fields) => {
      requireCallerRole(visit);
      return showForm(visit, deps, testCallForm(fields), {});
    });
    action('/try/:id/hang-up', async (visit) => {
      requireCallerRole(visit);
      const call = callOf(visit);
      call.hangUp();
      return { to: `/try/${call.id}` };
    });
    stream('/try/:id/events', (visit) => {
      const call = callOf(visit);
      return openStream(call, testCallSource(call, { progress, render: () => renderLiveParts(visit, call) }));
    });
    download('/try/:id/recording.wav', (visit, reply) => {
      const { recording } = callOf(visit);
      if (recording === null) throw new DashboardFault('not_found');
      return sendRecording(reply, recording);
    });
  };
}

interface FormDeps extends Pick<PageRoutes, 'database'> {
  calls: TestCalls | null;
  processors: readonly TriedProcessor[];
}

/** @param searched the fields of the form, if it was sent to search merchants: one of those found is chosen */
async function showForm(
  visit: Visit,
  { calls, processors, database }: FormDeps,
  form: TestCallForm,
  faults: FormFaults,
  searched?: FormFields,
): Promise<View> {
  const w = tryWords();
  const head = { title: w.title, section: 'try' } as const;
  if (calls === null) {
    return { ...head, body: <NoTestCalls visit={visit} why={visit.mode === 'live' ? 'live' : 'unavailable'} /> };
  }
  const picker = await readMerchantPicker(database, visit, form.merchant, searched);
  const { merchants } = picker;
  if (merchants.length === 0 && picker.search === null)
    return { ...head, body: <NoTestCalls visit={visit} why="no_merchant" /> };
  const offered = searched === undefined ? merchants : merchants.filter(({ isChosen }) => !isChosen);
  const isOpen = form.merchant === '' || searched !== undefined;
  const chosen = { ...form, merchant: (isOpen && oldestOf(offered)) || form.merchant };
  return {
    ...head,
    ...(Object.keys(faults).length > 0 && { status: 422 }),
    body: (
      <>
        <PageHead title={w.title} lead={w.lead} />
        <TryItForm
          visit={visit}
          picker={picker}
          vendors={vendorsOf(processors, merchants)}
          form={chosen}
          faults={faults}
        />
        <ApiCall visit={visit} action="/try/api-call" question={checkoutQuestion(chosen, merchants)} scope="agent" />
      </>
    ),
  };
}

/** In a demo and in a new account's test data, the one used in every example. */
const oldestOf = (merchants: readonly MerchantChoice[]): string =>
  merchants.reduce<MerchantChoice | undefined>(
    (a, b) => (a !== undefined && a.createdAt < b.createdAt ? a : b),
    undefined,
  )?.id ?? '';

function titleOf({ order: { script } }: TestCall): string {
  const scripts: Readonly<Record<string, { title: string }>> = tryWords().scripts;
  return scripts[script]?.title ?? script;
}

async function showCall(visit: Visit, call: TestCall): Promise<View> {
  const facts = await readTestCallFacts(visit, call);
  const platform = visit.query.platform ?? '';
  const snippets = snippetsOf(call, visit.origin, PLATFORMS.get(platform) ?? null);
  const title = titleOf(call);
  return {
    title: tryWords().call.titleOf(title),
    section: 'try',
    body: (
      <TestCallPage visit={visit} call={call} facts={facts} title={title} snippets={snippets} platform={platform} />
    ),
  };
}

async function renderLiveParts(visit: Visit, call: TestCall): Promise<Record<string, string>> {
  const facts = await readTestCallFacts(visit, call);
  return {
    state: renderPart(<TestCallState visit={visit} call={call} facts={facts} />),
    actions: renderPart(<TestCallActions visit={visit} call={call} facts={facts} />),
    steps: renderPart(<TestCallSteps call={call} />),
    after: renderPart(<TestCallAfter visit={visit} call={call} facts={facts} />),
  };
}
