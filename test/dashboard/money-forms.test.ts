/** The forms that move money, as an attacker or two tabs send them: refund, capture, void and manual settlement. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createCharge } from '../contract/refunds-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { FORM_TOKEN, startDashboard } from './dashboard.ts';
import { paidCharge, unsettledCharge } from './objects.ts';
import { type SecondUser, secondUserOf } from './second-user.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

const hold = async () => (await createCharge(dashboard.api, 'visa', 'manual')).id;
const chargeOf = async (id: string) => (await dashboard.api.get(`/v1/charges/${id}`)).body;
const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

interface MoneyForm {
  action: string;
  fields: Record<string, string>;
  /** The charge, and what it stays like if nothing was moved. */
  charge: string;
  unchanged: object;
}

async function moneyForms(): Promise<MoneyForm[]> {
  const [{ charge }, held, { charge: open }] = [
    await paidCharge(dashboard.api),
    await hold(),
    await unsettledCharge(dashboard.api),
  ];
  const authorized = { status: 'authorized' };
  const attempt = 'an-attempt-of-this-form';
  return [
    {
      action: `/test/charges/${charge}/refund`,
      fields: { amount_cents: '1000', attempt },
      charge,
      unchanged: { status: 'succeeded', refunded_cents: 0 },
    },
    {
      action: `/test/charges/${held}/capture`,
      fields: { amount_cents: '1000' },
      charge: held,
      unchanged: authorized,
    },
    { action: `/test/charges/${held}/void`, fields: {}, charge: held, unchanged: authorized },
    {
      action: `/test/charges/${open}/settle`,
      fields: { outcome: 'not_received' },
      charge: open,
      unchanged: { status: 'pending' },
    },
  ];
}

async function post(action: string, fields: Record<string, string>, headers: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const url = `${dashboard.api.url}/dashboard${action}`;
  return (await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status;
}

describe('a form that moves money', () => {
  test('does nothing from another site, without the token of the page, or with the token of another user', async () => {
    const { cookie } = dashboard.user;
    const tokenOf = (html: string) => FORM_TOKEN.exec(html)?.[1] ?? '';
    const own = tokenOf((await dashboard.get('/test/charges')).html);
    const others = tokenOf((await (await secondUserOf(dashboard, 'owner')).get('/test/charges')).html);
    const same = { cookie, 'sec-fetch-site': 'same-origin' };
    for (const { action, fields, charge, unchanged } of await moneyForms()) {
      const statuses = [
        await post(action, { ...fields, form_token: own }, { cookie, 'sec-fetch-site': 'cross-site' }),
        await post(action, { ...fields, form_token: own }, { cookie, 'sec-fetch-site': 'same-site' }),
        await post(action, fields, same),
        await post(action, { ...fields, form_token: others }, same),
      ];
      expect([action, statuses]).toEqual([action, [403, 403, 403, 403]]);
      expect(await chargeOf(charge)).toMatchObject(unchanged);
    }
  });

  test('does nothing for a viewer, who sees no such form', async () => {
    const forms = await moneyForms();
    await dashboard.as('viewer');
    for (const { action, fields, charge, unchanged } of forms) {
      expect([action, (await dashboard.submit('/test/calls', action, fields)).status]).toEqual([action, 403]);
      expect((await dashboard.get(`/test/charges/${charge}`)).html).not.toContain(`/dashboard${action}`);
      expect(await chargeOf(charge)).toMatchObject(unchanged);
    }
    const found = await dashboard.get(`/test/palette?q=${forms[0]?.charge}`);
    expect(found.html).not.toContain('/refund');
  });
});

describe('a refund', () => {
  test('is refused with an amount that no form has, and never becomes a full one', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const action = `/test/charges/${charge}/refund`;
    const attempt = 'an-attempt-of-this-form';
    for (const amount_cents of [
      '',
      ' ',
      'NaN',
      'null',
      '-1',
      '0',
      '0x10',
      '1e3',
      '10.5',
      '+10',
      '4001',
      '99999999999',
    ]) {
      const sent = await dashboard.submit('/test/calls', action, { amount_cents, attempt });
      expect([amount_cents, sent.status]).toEqual([amount_cents, 422]);
    }
    expect((await dashboard.submit('/test/calls', action, { attempt })).status).toBe(422);
    expect(await chargeOf(charge)).toMatchObject({ status: 'succeeded', refunded_cents: 0 });
  });
});

describe('two tabs with a hold', () => {
  let ada: SecondUser;
  let ben: SecondUser;
  beforeEach(async () => {
    [ada, ben] = await Promise.all([secondUserOf(dashboard, 'support'), secondUserOf(dashboard, 'owner')]);
  });

  test('capture it once if the same form is sent twice at once and again later', async () => {
    const id = await hold();
    const form = await ada.open(`/test/charges/${id}/capture?amount=15`);
    const answers = [...(await Promise.all([form.send(), form.send()])), await form.send()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await chargeOf(id)).toMatchObject({ status: 'succeeded', captured_cents: 1_500 });
  });

  test('void it once if the same form is sent twice at once and again later', async () => {
    const id = await hold();
    const form = await ben.open(`/test/charges/${id}/void`);
    const answers = [...(await Promise.all([form.send(), form.send()])), await form.send()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await chargeOf(id)).toMatchObject({ status: 'voided' });
  });

  test('capture one of two amounts, and the other tab says so', async () => {
    const id = await hold();
    const amounts = ['15', '25'];
    const forms = [
      await ada.open(`/test/charges/${id}/capture?amount=15`),
      await ben.open(`/test/charges/${id}/capture?amount=25`),
    ];
    const answers = await Promise.all(forms.map((form) => form.send()));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const won = answers.findIndex(({ status }) => status === 303);
    expect(await chargeOf(id)).toMatchObject({ status: 'succeeded', captured_cents: Number(amounts[won]) * 100 });
    expect(readable(answers[1 - won]?.html ?? '')).toContain('Nothing was changed');
  });

  test('capture or void it, and the other tab says so', async () => {
    const id = await hold();
    const forms = [await ada.open(`/test/charges/${id}/capture?amount=15`), await ben.open(`/test/charges/${id}/void`)];
    const answers = await Promise.all(forms.map((form) => form.send()));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const isCaptured = answers[0]?.status === 303;
    expect(await chargeOf(id)).toMatchObject({ status: isCaptured ? 'succeeded' : 'voided' });
  });
});
