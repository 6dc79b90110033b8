/** Every script of `npm run call`, on the whole product: asserts what a user would see. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callOptionsOf, createCallCommand } from '../../src/local/scripted-caller/options.ts';
import { type CallReport, placeCall } from '../../src/local/scripted-caller/place-call.ts';
import { sendLink } from '../../src/local/scripted-caller/rest-client.ts';
import { SCRIPTS, type Script, type ScriptName } from '../../src/local/scripted-caller/scripts.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { createCheckout, eventually } from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { isRefused } from '../support/test-caller.ts';
import { turnToCall } from '../support/turn-to-call.ts';
import { NodeAgent } from './node-agent.ts';
import { expectRecorded } from './recorded-endings.ts';

const CALL_LIMIT_MS = 400_000;

// Calls mostly wait, but if all started at once on two cores, their first keys would be late.
vi.setConfig({ maxConcurrency: 12 });

let product: TestProduct;
let failed = false;

beforeAll(async () => {
  product = await startProduct({
    RINGKEY_TRANSFER_NUMBERS: '+15550109999=acct_demo:test',
    RINGKEY_TRUNKS: '127.0.0.0/8',
  });
});

afterAll(async () => {
  if (failed) console.error(product.output());
  await product.close();
});

/** Calls that a busy machine's line did not take. */
const MOST_AGAIN = 5;

async function call(...words: string[]): Promise<CallReport> {
  const { baseUrl, speechFolder } = product;
  const options = callOptionsOf(createCallCommand().parse(words, { from: 'user' }));
  const place = async () => {
    await turnToCall();
    return placeCall(options, { baseUrl, speechFolders: [speechFolder], show: () => undefined });
  };
  let report = await place();
  for (let again = 0; isRefused(report.over) && again < MOST_AGAIN; again += 1) report = await place();
  failed ||= report.differences.length > 0;
  return report;
}

/** The longest part of a word that late packets on a busy machine may separate from the rest. */
const SHRED_MS = 200;
/** A busy machine loses a part of a sentence now and then, but not in call after call. */
const MOST_CALLS = 4;
/** The greeting, the confirmation and the result. */
const SENTENCES_OF_A_CHECKOUT = 3;

/**
 * Waits until the words of a checkout are rendered before its call, because on a busy machine that may take too long.
 */
async function rendered(fields: Record<string, unknown>, words: RegExp): Promise<void> {
  await createCheckout(product, fields);
  const texts = async () => {
    const names = (await readdir(product.speechFolder)).filter((name) => name.endsWith('.txt'));
    return Promise.all(names.map((name) => readFile(join(product.speechFolder, name), 'utf8')));
  };
  const count = async () => (await texts()).filter((text) => words.test(text)).length;
  await eventually(240_000, async () => expect(await count()).toBeGreaterThanOrEqual(SENTENCES_OF_A_CHECKOUT));
}

const said = (report: CallReport) => report.timeline.filter((entry) => entry.kind === 'said').map(({ text }) => text);

const scripts = Object.keys(SCRIPTS) as ScriptName[];
const keysInSound = (script: ScriptName) => (SCRIPTS[script] as Script).keysBy === 'sound';

async function endsAsExpected(script: ScriptName): Promise<void> {
  const report = await call('--script', script);
  expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
  await expectRecorded(product, script, report);
}

// FreeSWITCH drops waiting audio when a prompt starts or ends: among other calls on the same CPUs, a late caller would
// lose a complete key.
test.each(scripts.filter(keysInSound))(
  '%s ends as the script expects when it runs alone',
  endsAsExpected,
  CALL_LIMIT_MS,
);

describe.concurrent('the scripted caller', () => {
  test.each(scripts.filter((script) => !keysInSound(script)))(
    '%s ends as the script expects',
    endsAsExpected,
    CALL_LIMIT_MS,
  );

  test('hears every sentence of a payment to its end', { timeout: 2 * CALL_LIMIT_MS }, async () => {
    await rendered({ merchant_id: 'mer_demo_books', amount_cents: 2_500 }, /twenty-five dollars/);
    const unknown = ({ text, forMs }: { text: string; forMs: number }) =>
      text.startsWith('(a sound') && forMs >= SHRED_MS;
    let report: CallReport;
    let torn: unknown[];
    let calls = 0;
    do {
      calls += 1;
      report = await call('--merchant', 'demo-books', '--amount', '2500');
      expect(report.differences).toEqual([]);
      const sentences = report.timeline.filter((entry) => entry.kind === 'said');
      expect(sentences.length).toBeGreaterThan(5);
      torn = sentences.filter((sentence) => !sentence.complete || unknown(sentence));
    } while (torn.length > 0 && calls < MOST_CALLS);
    expect(torn).toEqual([]);
    expect(said(report).join(' ')).toMatch(/Demo Books.*twenty-five dollars.*security code.*press one.*One moment/is);
  });

  test('pays a checkout that another client created', { timeout: CALL_LIMIT_MS }, async () => {
    const fields = { merchant_id: 'mer_demo_diner', amount_cents: 1_250, caller_phone: '+15550101312' };
    const { id, transferTo } = await createCheckout(product, fields);
    const report = await call('--target', transferTo);
    expect(report).toMatchObject({ session: id, outcome: null, charge: 'succeeded', differences: [] });
  });

  test('follows the agent of the docs to the line and back', { timeout: CALL_LIMIT_MS }, async () => {
    const agent = await NodeAgent.start(product.baseUrl);
    try {
      const report = await call('--target', agent.uri, '--caller', '+15550101316');
      expect(report.differences, agent.output() + JSON.stringify(report.timeline, null, 1)).toEqual([]);
      expect(report).toMatchObject({ outcome: 'succeeded', charge: 'succeeded', over: 'the agent hung up' });
      expect(agent.output()).toMatch(
        /transfer you.*\ntransferred\n.*call \S+ is back: succeeded\nagent says: Thank you/s,
      );
    } finally {
      await agent.close();
    }
  });

  test('saves a card that is charged the next time without a call', { timeout: CALL_LIMIT_MS }, async () => {
    const caller = '+15550101311';
    const report = await call('--script', 'save-card', '--caller', caller);
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    expect(said(report).join(' ')).toMatch(
      /security code.*To keep this card for next time, press one\..*Your card is kept\./s,
    );
    expect(report.cards).toMatchObject([{ brand: 'VISA', last_four: '4242', expiry: '12/2030' }]);
    const [card] = report.cards ?? [];
    const fields = { merchant_id: 'mer_demo_market', amount_cents: 1_250, caller_phone: caller };
    const { id } = await createCheckout(product, fields);
    const answer = await fetch(`${product.baseUrl}/v1/charge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ checkout_session_id: id, instrument_id: card?.instrument_id }),
    });
    expect(await answer.json()).toMatchObject({ status: 'succeeded', amount_cents: 1_250, replay: false });
    const { rows } = await product.testDatabase.database.query(
      `select k.status, k.wording_id, k.language, k.wording, k.call_id is not null as has_call, i.handle_sealed
         from card_consents k join instruments i on i.id = k.instrument_id where i.id = $1`,
      [card?.instrument_id],
    );
    const wording = 'To keep this card for next time, press one. To pay without keeping it, press two.';
    const words = { wording_id: 'keep_card.1', language: 'en-US', wording };
    expect(rows).toEqual([{ status: 'kept', ...words, has_call: true, handle_sealed: true }]);
  });

  test('saves a card with the third choice of a confirmation', { timeout: CALL_LIMIT_MS }, async () => {
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' };
      const answer = await fetch(product.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
      return (await answer.json()) as { merchant_id: string };
    };
    const settings = { business_name: 'Careful Market', card_saving: 'ask', asks_confirmation: true };
    const { merchant_id: merchant } = await post('/v1/merchants', settings);
    await post(`/v1/merchants/${merchant}/processor`, { processor: 'sandbox' });
    const report = await call('--script', 'save-card', '--merchant', merchant, '--caller', '+15550101312');
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    expect(said(report)).not.toContain('To keep this card for next time, press one.');
    const { rows } = await product.testDatabase.database.query(
      'select wording_id, wording from card_consents where merchant_id = $1',
      [merchant],
    );
    const wording = expect.stringMatching(
      /press one\..*another card, press two\..*keep this card for next time, press three\.$/,
    );
    expect(rows).toEqual([{ wording_id: 'confirmation.keep', wording }]);
  });

  test('is welcomed back after it was cut off, and starts again', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--script', 'call-back', '--caller', '+15550101321');
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    expect(said(report).join(' ')).toMatch(/Demo Diner.*Welcome back\. Demo Diner.*card number.*You paid/s);
  });

  test('hears not to pay again while its first payment is being confirmed', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--script', 'call-back-unconfirmed', '--caller', '+15550101322');
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    const words = said(report).join(' ');
    expect(words).toMatch(/still confirming your payment\. Please don't pay again/);
    expect(words).not.toMatch(/Welcome back/);
  });

  test('is asked which of two merchants to pay, and pays that one', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--script', 'by-number', '--caller', '+15550101323');
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    const words = said(report).join(' ');
    expect(words).toMatch(
      /Who would you like to pay\?.*Demo Books, press one\..*For Demo Diner, press two\..*You paid.*Demo Diner/s,
    );
    expect(report.headers['X-Ringkey-Session']).toBe(report.session);
  });

  test('hears that its page was opened and paid', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--script', 'pay-by-link', '--caller', '+15550101313');
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    expect(said(report).join(' ')).toMatch(
      /opened the payment page.*Thank you, your payment has arrived\. You paid forty-two dollars.*Taking you back now/s,
    );
    expect(report.timeline.some(({ kind }) => kind === 'keyed')).toBe(false);
    const { rows } = await product.testDatabase.database.query(
      `select c.id, c.source, k.outcome, k.charge_id from charges c join calls k using (session_id) where c.session_id = $1`,
      [report.session],
    );
    const charge = report.headers['X-Ringkey-Charge'];
    expect(rows).toEqual([{ id: charge, source: 'page', outcome: 'succeeded', charge_id: charge }]);
  });

  test('switches to the link, and hears what happens on the page', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--script', 'switch-to-link', '--caller', '+15550101316');
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    expect(said(report).join(' ')).toMatch(
      /enter your card number.*texting you a link to pay, to the number ending .*stay on the line.*opened the payment page.*your payment has arrived\./s,
    );
    const { rows } = await product.testDatabase.database.query(
      'select recipient, kind from texts where session_id = $1 order by created_at',
      [report.session],
    );
    expect(rows[0]).toEqual({ recipient: '+15550101316', kind: 'pay_link' });
    expect(rows.filter(({ kind }) => kind === 'pay_link')).toHaveLength(1);
  });

  test('gets the link at once if the merchant accepts no keypad', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--script', 'pay-on-page', '--caller', '+15550101317');
    expect(report.differences, JSON.stringify(report.timeline, null, 1)).toEqual([]);
    const words = said(report).join(' ');
    expect(words).toMatch(/texting you a link to pay, to the number ending .*stay on the line/s);
    expect(words).not.toMatch(/keypad|card number/);
  });

  test('is shown on its page while it pays by keypad', { timeout: CALL_LIMIT_MS }, async () => {
    const fields = { merchant_id: 'mer_demo_diner', amount_cents: 1_250, caller_phone: '+15550101314' };
    const { id, transferTo } = await createCheckout(product, fields);
    const page = await sendLink(product.baseUrl, id);
    await fetch(`${page}/opened`, { method: 'POST' });
    // A slow script, so that each state lasts for many reads.
    const calling = call('--target', transferTo, '--script', 'slow');
    const shown = new Set<string>();
    let state = 'ready';
    while (state !== 'already_paid') {
      const answer = (await (await fetch(`${page}/state`)).json()) as { state: string; on_call: string };
      shown.add(answer.on_call);
      ({ state } = answer);
      await delay(50);
    }
    expect((await calling).differences).toEqual([]);
    expect([...shown]).toEqual(
      expect.arrayContaining([expect.stringMatching(/asking for your card/), expect.stringMatching(/being entered/)]),
    );
  });

  test('is bridged to the agent if its phone does not allow REFER', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--no-refer');
    expect(report.differences).toEqual([]);
    expect(
      report.timeline.some(
        ({ kind, ...entry }) => kind === 'agent' && 'text' in entry && entry.text.includes('greets'),
      ),
    ).toBe(true);
  });

  test('hears the result and a goodbye if there is no agent', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--return', 'none');
    expect(report).toMatchObject({ charge: 'succeeded', outcome: null, over: 'the line hung up' });
  });

  test('hears the result and a goodbye if the agent cannot be reached', { timeout: CALL_LIMIT_MS }, async () => {
    const report = await call('--no-refer', '--return', 'sip:nobody@127.0.0.1:9');
    expect(report).toMatchObject({ charge: 'succeeded', outcome: null, over: 'the line hung up' });
  });
});
