/** Users limited to merchants: what streams and files give them while they are being sent. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CallId, newId, parseId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { until } from '../support/until.ts';
import { BOOKS, MARK, merchantId, startLimitedDashboard } from './limited.ts';

const dashboard = useFixture(startLimitedDashboard);
beforeEach(() => dashboard.asLimited('support'));

describe('a stream', () => {
  /** Reads until it is closed. */
  async function open(path: string) {
    const request = get(`${dashboard.api.url}/dashboard/test${path}`, {
      agent: false,
      headers: { cookie: dashboard.user.cookie },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const state = { received: '', isBroken: false, close: () => request.destroy() };
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      state.received += text;
    });
    response.on('error', () => undefined);
    response.once('close', () => {
      // A stream that ends after its time is complete.
      state.isBroken = !response.complete;
    });
    return state;
  }

  test('of live calls has those of the merchants, and follows a change of the limit', async () => {
    const { live } = dashboard;
    const stream = await open('/now/events');
    await until(120_000, () => stream.received.includes(live.books));
    expect(stream.received).not.toContain(live.diner);
    await dashboard.limit([merchantId(DEMO_DINER)]);
    await until(120_000, () => stream.received.includes(live.diner));
    stream.received = '';
    await dashboard.limit([BOOKS]);
    await until(120_000, () => stream.received.includes(live.books));
    expect(stream.received).not.toContain(live.diner);
    stream.close();
  });

  test('breaks when the user is signed out', async () => {
    const stream = await open('/now/events');
    await until(120_000, () => stream.received !== '');
    await dashboard.api.database.query('delete from user_sessions where user_id = $1', [dashboard.user.user.id]);
    await until(120_000, () => stream.isBroken);
  });

  test('of a page about the account breaks when the user is limited', async () => {
    await dashboard.as('support');
    const stream = await open('/try/try_1/events');
    await until(120_000, () => stream.received !== '');
    await dashboard.limit([BOOKS]);
    const session = parseId('CheckoutSession', dashboard.testCall.checkout.sessionId);
    await until(120_000, () => {
      if (session !== null) dashboard.api.progress.publish(session, 'call_stage');
      return stream.isBroken;
    });
  });

  test('of the live tail has the steps of calls to the merchants', async () => {
    const stream = await open('/tail/events');
    await until(120_000, () => stream.received !== '');
    const [own, other] = [newId('Call'), newId('Call')];
    await until(120_000, () => {
      report(other, DEMO_DINER);
      report(own, BOOKS);
      return stream.received.includes(own);
    });
    expect(stream.received).not.toContain(other);
    await dashboard.limit([merchantId(DEMO_DINER)]);
    const [later, ofBooks] = [newId('Call'), newId('Call')];
    await until(120_000, () => {
      report(ofBooks, BOOKS);
      report(later, DEMO_DINER);
      return stream.received.includes(later);
    });
    expect(stream.received).not.toContain(ofBooks);
    stream.close();
  });

  test('of the wall board counts the calls of the merchants', async () => {
    await dashboard.limit([BOOKS]);
    const stream = await open('/wall/events');
    await until(120_000, () => stream.received !== '');
    expect(stream.received).not.toContain(MARK);
    stream.close();
  });

  function report(callId: CallId, merchant: string): void {
    dashboard.api.progress.publishCall({
      id: newId('Event'),
      type: 'call.answered',
      at: new Date().toISOString(),
      sequence: 1,
      accountId: DEMO_ACCOUNT,
      mode: 'test',
      callId,
      sessionId: newId('CheckoutSession'),
      merchantId: merchantId(merchant),
      platformCallId: null,
      step: null,
      returnRoute: null,
      outcome: null,
    });
  }
});

describe('a file', () => {
  const ROWS = 150;

  test.each([
    ['narrowed', async () => dashboard.limit([BOOKS])],
    ['signed out', async () => endSessions()],
  ])('that is being sent has no further rows of other merchants after the user was %s', async (_, change) => {
    const ids = await insertTexts();
    await dashboard.limit([BOOKS, merchantId(DEMO_DINER)]);
    const { answer } = await whileLocked(async () => {
      const sent = downloadOf('/texts.csv');
      await until(120_000, isWaiting);
      await change();
      return { answer: sent };
    });
    const file = await answer;
    expect(ids.filter((id) => file.includes(id)).length).toBeLessThanOrEqual(100);
  });

  test('has the rows of all its pages if nothing changes meanwhile', async () => {
    const ids = await insertTexts();
    await dashboard.limit([BOOKS, merchantId(DEMO_DINER)]);
    const file = await downloadOf('/texts.csv');
    expect(ids.filter((id) => file.includes(id))).toHaveLength(ROWS);
  });

  /** More texts of the diner than REST lists at once. */
  async function insertTexts(): Promise<string[]> {
    const ids = Array.from({ length: ROWS }, () => newId('Text'));
    await dashboard.api.database.query(
      `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments)
       select text, account_id, mode, checkout_sessions.id, 'link', caller_phone, '', 1
         from checkout_sessions, unnest($1::text[]) text where checkout_sessions.id = $2`,
      [ids, dashboard.ids['/checkouts']],
    );
    return ids;
  }

  const endSessions = () =>
    dashboard.api.database.query('delete from user_sessions where user_id = $1', [dashboard.user.user.id]);

  /** Runs `work` while the table of the file cannot be read. */
  const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
    dashboard.api.database.transaction(async (sql) => {
      await sql.query('lock table texts in access exclusive mode');
      return work();
    });

  const isWaiting = async () => {
    const text = `select from pg_locks where relation = 'texts'::regclass and not granted`;
    return (await dashboard.api.database.query(text)).rowCount !== 0;
  };

  /** What was received, also if the connection breaks. */
  async function downloadOf(path: string): Promise<string> {
    const response = await fetch(`${dashboard.api.url}/dashboard/test${path}`, {
      headers: { cookie: dashboard.user.cookie },
    });
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    return text;
  }
});
