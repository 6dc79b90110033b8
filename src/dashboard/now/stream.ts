/** The live part of the page of live calls, as the event `calls`. News by Redis only wake it; what it sends it has read by REST. */
import type { AccountId } from '../../domain/ids.ts';
import type { Progress } from '../../progress/ports.ts';
import type { LiveSource } from '../live-streams.ts';
import type { LiveCalls } from './live-calls.ts';

export interface LiveCallsSourceDeps {
  progress: Progress;
  read: () => Promise<LiveCalls>;
  render: (calls: LiveCalls) => string;
}

/** Calls that begin are not announced. Half of it is less than what the phone takes for nobody being there (LOOK_LASTS_MS). */
const LOOK_MS = 2_000;

export function liveCallsSource(accountId: AccountId, { progress, read, render }: LiveCallsSourceDeps): LiveSource {
  let sent = '';
  return {
    async update(send) {
      const calls = await read();
      // What was read is compared, and not the HTML, in which time goes by.
      const facts = JSON.stringify(calls);
      if (facts === sent) return;
      sent = facts;
      send('calls', render(calls));
    },
    watch(wake) {
      const look = () => {
        progress.publish(accountId, 'calls_watched');
        wake();
      };
      const timer = setInterval(look, LOOK_MS);
      const stop = progress.subscribe(accountId, (news) => {
        if (news !== 'calls_watched') wake();
      });
      look();
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}
