/**
 * `/wall`: Now on a screen on the wall. Live calls, money in progress, the success rate of the last hour and open
 * attention items, without personal data. Updated like Now.
 */
import type { AttentionItemResource } from '../../../contract/attention.ts';
import type { StatisticsResource } from '../../../contract/statistics.ts';
import type { UserId } from '../../../domain/ids.ts';
import type { Progress } from '../../../notifications/progress/ports.ts';
import { liveCallsReader, liveCallsSource } from '../now/stream.ts';
import { renderPart } from '../page/layout.tsx';
import { liveStreams } from '../page/live-streams.ts';
import type { AddPages, View } from '../page/page-routes.ts';
import { TimeZoneName } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { type Hour, type Wall, WallPart } from './parts.tsx';
import { wallWords } from './words/index.ts';

/** Live calls of a busy day: more are not counted. */
const MOST_PAGES = 5;
const HOUR_MS = 3_600_000;
/** The figures that change slowly are read again after this time. */
const SLOW_MS = 10_000;
const MOST_ITEMS = 100;

export function wallPages({ progress }: { progress: Progress }): AddPages {
  const openStream = liveStreams<UserId>();
  return ({ page, news, stream }) => {
    const watch = (visit: Visit) => progress.publish(visit.user.accountId, 'calls_watched');
    page('/wall', async (visit) => {
      watch(visit);
      return wallView(visit, await wallReader(visit)());
    });
    news('/wall/figures', async (visit, reply) => {
      watch(visit);
      return reply.type('text/html; charset=utf-8').send(render(await wallReader(visit)()));
    });
    stream('/wall/events', (visit) =>
      openStream(
        visit.user.userId,
        liveCallsSource(visit.user.accountId, { progress, read: wallReader(visit), render }),
      ),
    );
  };
}

const render = (wall: Wall) => renderPart(<WallPart wall={wall} now={new Date()} />);

/** @returns a function that reads the live calls each time, and the other figures if they are old */
function wallReader(visit: Visit): () => Promise<Wall> {
  const readLive = liveCallsReader(visit, MOST_PAGES);
  let slow: { hour: Hour | null; attention: number; readAtMs: number } | null = null;
  return async () => {
    if (slow === null || performance.now() - slow.readAtMs > SLOW_MS) {
      const [hour, attention] = await Promise.all([readHour(visit), countAttention(visit)]);
      slow = { hour, attention, readAtMs: performance.now() };
    }
    return { live: await readLive(), hour: slow.hour, attention: slow.attention };
  };
}

async function readHour(visit: Visit): Promise<Hour | null> {
  const from = new Date(Date.now() - HOUR_MS).toISOString();
  const answer = await visit.tryAsk<StatisticsResource>({ path: '/v1/statistics', query: { from } });
  if (!answer.ok) return null;
  const { charges_succeeded: succeeded, charges_failed: failed } = answer.body.period;
  return { succeeded, failed };
}

async function countAttention(visit: Visit): Promise<number> {
  const query = { limit: String(MOST_ITEMS) };
  const path = '/v1/attention_items';
  return (await visit.ask<{ attention_items: AttentionItemResource[] }>({ path, query })).attention_items.length;
}

function wallView(visit: Visit, wall: Wall): View {
  const { base, mode, user } = visit;
  const path = `${base}/wall`;
  const w = wallWords();
  return {
    title: w.title,
    section: 'now',
    isWholeScreen: true,
    body: (
      <div class="wall" hx-ext="sse" sse-connect={`${path}/events`}>
        <header>
          <h1>
            <bdi>{user.accountName}</bdi>
          </h1>
          <p class={`strip ${mode}`}>{w.modes[mode]}</p>
          <span class="badge" role="status" data-live-state>
            {w.connecting}
          </span>
        </header>
        <div id="wall-part" sse-swap="calls" hx-get={`${path}/figures`} hx-trigger="ask" hx-swap="innerHTML show:none">
          <WallPart wall={wall} now={new Date()} />
        </div>
        <footer>
          <p>{w.timesIn(<TimeZoneName />)}</p>
          <p class="actions">
            <button type="button" data-full-screen hidden>
              {w.fullScreen}
            </button>
            <a class="button" href={`${base}/now`}>
              {w.close}
            </a>
          </p>
        </footer>
      </div>
    ),
  };
}
