/**
 * The stream of the live tail: call events from the progress channel, events from REST. A reader that is slower than the
 * calls gets the newest entries and a note, so a stream never holds more than a few.
 */
import type { Scope } from '../../../domain/account.ts';
import type { CallEvent } from '../../../domain/call-progress.ts';
import type { MerchantLimit } from '../../../domain/user.ts';
import type { CallProgress } from '../../../notifications/progress/ports.ts';
import type { LiveSource } from '../page/live-streams.ts';
import { callEntry, eventEntry, gapEntry, type ListedEvent, type TailEntry } from './entries.tsx';

/** More entries are not kept between two updates. */
const MOST_PENDING = 50;
/** Events are not announced, so the stream polls. */
const POLL_MS = 2_000;

interface TailDeps {
  progress: Pick<CallProgress, 'subscribeCalls'>;
  /** The newest events, newest first. */
  readEvents: () => Promise<{ events: readonly ListedEvent[]; hasMore: boolean }>;
  /** The merchants to which the reader is limited now. */
  readLimit: () => Promise<MerchantLimit>;
  /** The names of the entries' merchants, by ID. */
  readNames: (entries: readonly TailEntry[]) => Promise<ReadonlyMap<string, string>>;
  /** @param entries newest first */
  render: (entries: readonly TailEntry[], names: ReadonlyMap<string, string>) => string;
}

const isWithin =
  (limit: MerchantLimit) =>
  ({ merchantId }: TailEntry): boolean =>
    limit === null || limit.some((id) => id === merchantId);

/** @param merchantId null for all merchants */
export function tailSource(
  { accountId, mode }: Scope,
  merchantId: string | null,
  { progress, readEvents, readLimit, readNames, render }: TailDeps,
): LiveSource {
  /** As of the last update. */
  let limit: MerchantLimit = null;
  const isWanted = (entry: TailEntry) =>
    (merchantId === null || entry.merchantId === merchantId) && isWithin(limit)(entry);
  let pending: TailEntry[] = [];
  let hasGap = false;
  let isDue = true;
  /** The IDs that were read last. All of them are compared, because events can commit in another order. */
  let read: ReadonlySet<string> | null = null;
  let isFirst = true;

  function add(entries: readonly TailEntry[]): void {
    pending.push(...entries.filter(isWanted));
    if (pending.length <= MOST_PENDING) return;
    pending = pending.slice(-MOST_PENDING);
    hasGap = true;
  }

  async function addEvents(): Promise<void> {
    const { events, hasMore } = await readEvents();
    const added = events.filter(({ id }) => read?.has(id) !== true);
    if (read !== null && added.length === events.length && hasMore) hasGap = true;
    read = new Set(events.map(({ id }) => id));
    add(added.toReversed().map(eventEntry));
  }

  return {
    async update(send) {
      if (isDue) {
        isDue = false;
        await addEvents();
      }
      const added = pending;
      pending = [];
      const names = await readNames(added);
      // Read after the entries came, so that a change of the limit applies to all that follow it.
      limit = await readLimit();
      const entries = added.filter(isWithin(limit)).sort((a, b) => b.at.localeCompare(a.at));
      if (hasGap) entries.push(gapEntry(entries.at(-1)?.at ?? new Date().toISOString()));
      hasGap = false;
      // The first message tells the page that the stream works.
      if (entries.length > 0 || isFirst) send('entries', render(entries, names));
      isFirst = false;
    },
    watch(wake) {
      const stop = progress.subscribeCalls((event: CallEvent) => {
        if (event.accountId !== accountId || event.mode !== mode) return;
        add([callEntry(event)]);
        wake();
      });
      const timer = setInterval(() => {
        isDue = true;
        wake();
      }, POLL_MS);
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}
