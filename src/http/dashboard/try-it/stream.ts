/** The live parts of a test call's page: one event for each part, then `over`. */
import type { CheckoutSessionId } from '../../../domain/ids.ts';
import type { Progress } from '../../../notifications/progress/ports.ts';
import type { LiveSource } from '../page/live-streams.ts';
import type { TestCall } from './ports.ts';

export interface TestCallSourceDeps {
  progress: Pick<Progress, 'subscribe'>;
  /** Renders the parts as they are now: HTML by the names of the events. */
  render: () => Promise<Readonly<Record<string, string>>>;
}

export const testCallSource = (call: TestCall, { progress, render }: TestCallSourceDeps): LiveSource => ({
  async update(send, end) {
    // Read before rendering: later changes are rendered again.
    const isOver = call.state !== 'running';
    for (const [name, html] of Object.entries(await render())) send(name, html);
    if (!isOver) return;
    send('over', 'over');
    end();
  },
  watch(wake) {
    const stops = [call.watch(wake), progress.subscribe(call.checkout.sessionId as CheckoutSessionId, wake)];
    return () => {
      for (const stop of stops) stop();
    };
  },
});
