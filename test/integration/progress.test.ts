/** News of sessions over a real Redis: who receives them, and what happens while Redis is away. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CallEvent } from '../../src/domain/call-progress.ts';
import { type CheckoutSessionId, newId } from '../../src/domain/ids.ts';
import type { NewsType } from '../../src/notifications/progress/ports.ts';
import { openProgress, type RedisProgress } from '../../src/notifications/progress/progress.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { EventLog } from './phone/event-log.ts';

let redis: TestRedis;
let proxy: TcpProxy;
const open: RedisProgress[] = [];

beforeAll(async () => {
  [redis, proxy] = await Promise.all([createTestRedis(), startTcpProxy()]);
});
afterEach(() => {
  for (const progress of open.splice(0)) progress.close();
});
afterAll(async () => {
  await proxy.close();
  await redis.close();
});

const quiet = { info: () => undefined, warn: () => undefined };

/** The progress of one process. It polls every 50 ms while Redis is away, and never otherwise. */
function startProcess(url = redis.url): RedisProgress {
  const progress = openProgress({ redisUrl: url, log: quiet, pollMs: { away: 50, connected: 600_000 } });
  open.push(progress);
  return progress;
}

function listen(progress: RedisProgress, sessionId = newId('CheckoutSession')) {
  const received = new EventLog<NewsType>();
  const stop = progress.subscribe(sessionId, (news) => received.push(news));
  return { sessionId, received, stop };
}

/** Waits until this process receives news of the others. */
async function subscribed({ received }: { received: EventLog<NewsType> }, progress: RedisProgress): Promise<void> {
  do await received.waitForCount('missed', received.entries.filter((news) => news === 'missed').length + 1);
  while (!progress.connected);
}

/** Waits until news of this process reaches the listener. Publishing uses another connection than subscribing. */
async function reached(from: RedisProgress, { sessionId, received }: ReturnType<typeof listen>): Promise<void> {
  const publish = () => {
    from.publish(sessionId, 'calls_watched');
    return received.entries;
  };
  await expect.poll(publish).toContain('calls_watched');
}

describe('news', () => {
  it('reach the listeners of their session in all processes', async () => {
    const [one, other] = [startProcess(), startProcess()];
    const here = listen(one);
    const there = listen(other, here.sessionId);
    const stranger = listen(other);
    await Promise.all([subscribed(here, one), subscribed(there, other), subscribed(stranger, other)]);
    await reached(one, there);
    one.publish(here.sessionId, 'charge_changed');
    await Promise.all([here, there].map(({ received }) => received.waitFor((news) => news === 'charge_changed')));
    one.publish(stranger.sessionId, 'page_opened');
    await stranger.received.waitFor((news) => news === 'page_opened');
    expect(stranger.received.entries).not.toContain('charge_changed');
    // Not a second time through Redis.
    expect(here.received.entries.filter((news) => news === 'charge_changed')).toHaveLength(1);
  });

  it('stop with the subscription', async () => {
    const [one, other] = [startProcess(), startProcess()];
    const listening = listen(one);
    await subscribed(listening, one);
    listening.stop();
    const after = listen(one, listening.sessionId);
    await reached(other, after);
    one.publish(listening.sessionId, 'charge_changed');
    expect(after.received.entries).toContain('charge_changed');
    expect(listening.received.entries.filter((news) => news !== 'missed')).toEqual([]);
  });

  it('from before a subscription count as missed only if they are newer than what the subscriber has read', async () => {
    const [one, other] = [startProcess(), startProcess()];
    const listening = listen(one);
    const { sessionId } = listening;
    await subscribed(listening, one);
    const beforeNews = performance.now();
    await reached(other, listening);
    const afterNews = performance.now();
    const received = { old: new EventLog<NewsType>(), fresh: new EventLog<NewsType>() };
    one.subscribe(sessionId, (news) => received.fresh.push(news), afterNews);
    one.subscribe(sessionId, (news) => received.old.push(news), beforeNews);
    await received.old.waitFor((news) => news === 'missed');
    one.publish(sessionId, 'page_opened');
    expect(received.fresh.entries).toEqual(['page_opened']);
  });

  it('are ignored if their kind is unknown', async () => {
    const progress = startProcess();
    const listening = listen(progress);
    await subscribed(listening, progress);
    const channel = `ringkey:progress:{${listening.sessionId}}`;
    for (const forged of ['', 'x', 'x paid', '{"type":"paid"}', 'x missed']) await redis.redis.publish(channel, forged);
    await redis.redis.publish(channel, 'x call_stage');
    await listening.received.waitFor((news) => news === 'call_stage');
    expect(new Set(listening.received.entries)).toEqual(new Set(['missed', 'call_stage']));
  });
});

describe('events of a call', () => {
  const eventOf = (sessionId: CheckoutSessionId): CallEvent => ({
    id: newId('Event'),
    type: 'call.ended',
    at: '2026-01-02T03:04:05.678Z',
    sequence: 1,
    accountId: newId('Account'),
    mode: 'test',
    callId: newId('Call'),
    sessionId,
    merchantId: newId('Merchant'),
    platformCallId: null,
    step: null,
    returnRoute: null,
    outcome: null,
  });

  /** The events and news of a session that another process receives, in order. */
  async function receivedFrom(one: RedisProgress) {
    const other = startProcess();
    const listening = listen(other);
    const { sessionId } = listening;
    await subscribed(listening, other);
    await reached(one, listening);
    const order = new EventLog<string>();
    const isOurs = (news: NewsType) => news === 'call_stage' || news === 'charge_changed';
    other.subscribe(sessionId, (news) => isOurs(news) && order.push(news));
    other.subscribeCalls((event) => event.sessionId === sessionId && order.push(event.type));
    return { sessionId, order };
  }

  it('reach other processes before the news of a stage that follows them', async () => {
    const one = startProcess();
    const { sessionId, order } = await receivedFrom(one);
    one.publishCall(eventOf(sessionId));
    one.publish(sessionId, 'call_stage');
    await order.waitFor((entry) => entry === 'call_stage');
    expect(order.entries).toEqual(['call.ended', 'call_stage']);
  });

  it('reach other processes before the news of a charge that follows them', async () => {
    const one = startProcess();
    const { sessionId, order } = await receivedFrom(one);
    one.publishCall(eventOf(sessionId));
    one.publish(sessionId, 'charge_changed');
    await order.waitFor((entry) => entry === 'charge_changed');
    expect(order.entries).toEqual(['call.ended', 'charge_changed']);
  });

  it('reach other processes although the process closes right after them', async () => {
    const one = startProcess();
    const { sessionId, order } = await receivedFrom(one);
    one.publishCall(eventOf(sessionId));
    one.close();
    await order.waitFor((entry) => entry === 'call.ended');
  });
});

it('makes listeners poll while Redis is away, and delivers news again when it is back', async () => {
  const [progress, other] = [startProcess(proxy.forwardTo(redis.url)), startProcess()];
  const listening = listen(progress);
  await subscribed(listening, progress);
  proxy.cut();
  const missed = () => listening.received.entries.filter((news) => news === 'missed').length;
  await listening.received.waitForCount('missed', missed() + 2);
  const second = listen(progress, listening.sessionId);
  progress.publish(listening.sessionId, 'page_opened');
  expect(second.received.entries).toEqual(['page_opened']);
  proxy.restore();
  while (!progress.connected) await subscribed(listening, progress);
  await reached(other, listening);
  other.publish(listening.sessionId, 'charge_changed');
  await listening.received.waitFor((news) => news === 'charge_changed');
});
