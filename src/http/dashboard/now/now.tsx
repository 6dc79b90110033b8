/** `/now`: the live calls, updated by server-sent events. If there is no stream, the page polls. */

import { type EndingCertificate, listEndingCertificates } from '../../../db/attention/certificates.ts';
import type { UserId } from '../../../domain/ids.ts';
import type { Progress } from '../../../notifications/progress/ports.ts';
import { renderPart } from '../page/layout.tsx';
import { liveStreams } from '../page/live-streams.ts';
import type { AddPages, View } from '../page/page-routes.ts';
import { PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { EndingCertificates } from './certificates.tsx';
import { LiveCallsPart } from './live-calls.tsx';
import { type LiveCalls, liveCallsReader, liveCallsSource } from './stream.ts';
import { nowWords } from './words/index.ts';

export function nowPages({ progress }: { progress: Progress }): AddPages {
  const openStream = liveStreams<UserId>();
  return ({ page, news, stream, database }) => {
    // Calls publish their steps for a while after this, so polling pages see them too.
    const watch = (visit: Visit) => progress.publish(visit.user.accountId, 'calls_watched');
    page('/now', async (visit) => {
      watch(visit);
      // The service is no concern of users who are limited to merchants.
      return showNow(visit, visit.user.merchants === null ? await listEndingCertificates(database) : []);
    });
    news('/now/calls', async (visit, reply) => {
      watch(visit);
      const html = renderLive(visit, await liveCallsReader(visit)());
      return reply.type('text/html; charset=utf-8').send(html);
    });
    stream('/now/events', (visit) => {
      const deps = { progress, read: liveCallsReader(visit), render: (live: LiveCalls) => renderLive(visit, live) };
      return openStream(visit.user.userId, liveCallsSource(visit.user.accountId, deps));
    });
  };
}

const renderLive = (visit: Visit, live: LiveCalls) =>
  renderPart(<LiveCallsPart visit={visit} live={live} now={new Date()} />);

async function showNow(visit: Visit, certificates: readonly EndingCertificate[]): Promise<View> {
  const live = await liveCallsReader(visit)();
  const path = `${visit.base}/now`;
  const w = nowWords();
  return {
    title: w.title,
    section: 'now',
    body: (
      <div hx-ext="sse" sse-connect={`${path}/events`}>
        <PageHead title={w.title} lead={w.lead}>
          <div class="actions">
            <span class="badge" data-live-state>
              {w.connecting}
            </span>
            <a class="button" href={`${visit.base}/tail`}>
              {w.liveTail}
            </a>
            <a class="button" href={`${visit.base}/wall`}>
              {w.wallBoard}
            </a>
          </div>
        </PageHead>
        <div id="live-calls" sse-swap="calls" hx-get={`${path}/calls`} hx-trigger="ask" hx-swap="innerHTML show:none">
          <LiveCallsPart visit={visit} live={live} now={new Date()} />
        </div>
        <EndingCertificates certificates={certificates} />
      </div>
    ),
  };
}
