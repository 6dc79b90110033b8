/** Progress over a real Redis: who hears what, and what happens when Redis is away. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
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

/** One process. It polls every 50 ms while Redis is away, and never while it is there. */
function process(url = redis.url): RedisProgress {
  const progress = openProgress({ redisUrl: url, log: quiet, pollMs: { away: 50, connected: 600_000 } });
  open.push(progress);
  return progress;
}

function listen(progress: RedisProgress, sessionId = newId('CheckoutSession')) {
  const heard = new EventLog<NewsType>();
  const stop = progress.subscribe(sessionId, (news) => heard.push(news));
  return { sessionId, heard, stop };
}

/** Until this process can hear the others. */
async function subscribed({ heard }: { heard: EventLog<NewsType> }, progress: RedisProgress): Promise<void> {
  do await heard.waitForCount('missed', heard.entries.filter((news) => news === 'missed').length + 1);
  while (!progress.connected);
}

/** Until what one process tells reaches the other: it tells by another connection than it hears by. */
async function reached(one: RedisProgress, { sessionId, heard }: ReturnType<typeof listen>): Promise<void> {
  const tell = () => {
    one.publish(sessionId, 'calls_watched');
    return heard.entries;
  };
  await expect.poll(tell).toContain('calls_watched');
}

describe('news', () => {
  it('reach the listeners of their session, in this process and in others', async () => {
    const [one, other] = [process(), process()];
    const here = listen(one);
    const there = listen(other, here.sessionId);
    const stranger = listen(other);
    await Promise.all([subscribed(here, one), subscribed(there, other), subscribed(stranger, other)]);
    await reached(one, there);
    one.publish(here.sessionId, 'charge_changed');
    await Promise.all([here, there].map(({ heard }) => heard.waitFor((news) => news === 'charge_changed')));
    one.publish(stranger.sessionId, 'page_opened');
    await stranger.heard.waitFor((news) => news === 'page_opened');
    expect(stranger.heard.entries).not.toContain('charge_changed');
    // Not once more by way of Redis.
    expect(here.heard.entries.filter((news) => news === 'charge_changed')).toHaveLength(1);
  });

  it('end with the subscription', async () => {
    const [one, other] = [process(), process()];
    const listening = listen(one);
    await subscribed(listening, one);
    listening.stop();
    const after = listen(one, listening.sessionId);
    await reached(other, after);
    one.publish(listening.sessionId, 'charge_changed');
    expect(after.heard.entries).toContain('charge_changed');
    expect(listening.heard.entries.filter((news) => news !== 'missed')).toEqual([]);
  });

  it('from before a listener came are missed only if they are newer than what it has read', async () => {
    const [one, other] = [process(), process()];
    const listening = listen(one);
    const { sessionId } = listening;
    await subscribed(listening, one);
    const beforeNews = performance.now();
    await reached(other, listening);
    const afterNews = performance.now();
    const heard = { old: new EventLog<NewsType>(), fresh: new EventLog<NewsType>() };
    one.subscribe(sessionId, (news) => heard.fresh.push(news), afterNews);
    one.subscribe(sessionId, (news) => heard.old.push(news), beforeNews);
    await heard.old.waitFor((news) => news === 'missed');
    one.publish(sessionId, 'page_opened');
    expect(heard.fresh.entries).toEqual(['page_opened']);
  });

  it('of no known kind are ignored', async () => {
    const progress = process();
    const listening = listen(progress);
    await subscribed(listening, progress);
    const channel = `ringkey:progress:{${listening.sessionId}}`;
    for (const forged of ['', 'x', 'x paid', '{"type":"paid"}', 'x missed']) await redis.redis.publish(channel, forged);
    await redis.redis.publish(channel, 'x call_stage');
    await listening.heard.waitFor((news) => news === 'call_stage');
    expect(new Set(listening.heard.entries)).toEqual(new Set(['missed', 'call_stage']));
  });
});

it('while Redis is away listeners are told to look, and hear the others again when it is back', async () => {
  const [progress, other] = [process(proxy.forwardTo(redis.url)), process()];
  const listening = listen(progress);
  await subscribed(listening, progress);
  proxy.cut();
  const missed = () => listening.heard.entries.filter((news) => news === 'missed').length;
  await listening.heard.waitForCount('missed', missed() + 2);
  const unheard = listen(progress, listening.sessionId);
  progress.publish(listening.sessionId, 'page_opened');
  expect(unheard.heard.entries).toEqual(['page_opened']);
  proxy.restore();
  while (!progress.connected) await subscribed(listening, progress);
  await reached(other, listening);
  other.publish(listening.sessionId, 'charge_changed');
  await listening.heard.waitFor((news) => news === 'charge_changed');
});
