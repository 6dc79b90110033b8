/**
 * The caller's waits beside the page, one at a time: for the text with the link, and for the news on the call that the
 * page was opened.
 */
import { Redis } from 'ioredis';
import { openDatabase } from '../../../src/db/pool.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { channelOf } from '../../../src/notifications/progress/progress.ts';
import { until } from '../call/stage.ts';
import type { App, Stage } from '../rest/stage.ts';
import { createSession, type Integrator, linkOf } from './stage.ts';

const LIMIT_MS = 30_000;

export interface Waits {
  /** Milliseconds from the row of a text to its first attempt, by the clock of the database. */
  textSent: number[];
  /** Milliseconds from the page's beacon to the news in Redis, to which a live call reacts. */
  openedNews: number[];
}

/** @param product with a worker @param firstAt first number of sessions that no other measurement uses */
export async function measureWaits(
  stage: Stage,
  product: App,
  integratorAt: (at: number) => Integrator,
  { count, firstAt }: { count: number; firstAt: number },
): Promise<Waits> {
  const database = openDatabase({ url: stage.databaseUrl, maxConnections: 1, onIdleError: console.error });
  const redis = new Redis(stage.servers.redis?.url ?? '');
  const listeners = new Map<string, (atMs: number) => void>();
  redis.on('message', (channel: string) => listeners.get(channel)?.(performance.now()));
  const waits: Waits = { textSent: [], openedNews: [] };
  // Deletes the load's texts, for which there was no worker.
  await database.query('delete from texts');
  try {
    for (let at = firstAt; at < firstAt + count; at += 1) {
      const id = await createSession(product, integratorAt(at), at);
      const path = await linkOf(product, integratorAt(at), id);
      waits.textSent.push(await textLeft(database, id));
      const channel = channelOf(id as CheckoutSessionId);
      await redis.subscribe(channel);
      const news = new Promise<number>((resolve) => listeners.set(channel, resolve));
      const openedAt = performance.now();
      await fetch(`http://127.0.0.1:${product.port}${path}/opened`, { method: 'POST' });
      waits.openedNews.push((await news) - openedAt);
      await redis.unsubscribe(channel);
      listeners.delete(channel);
    }
    return waits;
  } finally {
    redis.disconnect();
    await database.close();
  }
}

async function textLeft(database: ReturnType<typeof openDatabase>, sessionId: string): Promise<number> {
  let leftMs: number | null = null;
  await until(LIMIT_MS, async () => {
    const { rows } = await database.query<{ leftMs: number | null }>(
      `select extract(epoch from first_sent_at - created_at)::double precision * 1000 as "leftMs"
         from texts where session_id = $1 and kind = 'pay_link'`,
      [sessionId],
    );
    leftMs = rows[0]?.leftMs ?? null;
    return leftMs !== null;
  });
  return leftMs ?? Number.NaN;
}
