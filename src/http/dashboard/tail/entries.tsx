/** What the live tail shows: the steps of calls as they happen, and events as they are created. Nothing that callers enter. */

import type { z } from 'zod';
import type { CallEvent } from '../../../domain/call-progress.ts';
import type { EventList } from '../../api/routes/events.ts';
import { Time, type Tone } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { names } from '../words/names/index.ts';
import { tailWords } from './words/index.ts';

export type ListedEvent = z.infer<typeof EventList>['events'][number];

export interface TailEntry {
  /** Unique: a browser that reconnects gets some entries again. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** In the language of its reader, so only called while a page or part is rendered. */
  what: () => string;
  tone: Tone;
  merchantId: string | null;
  /** Within the mode; null: it leads nowhere. */
  path: string | null;
}

const OUTCOME_TONES: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', pending: 'wait' };

export function callEntry(event: CallEvent): TailEntry {
  const { id, at, callId, merchantId } = event;
  return { id, at, merchantId, path: `/calls/${callId}`, ...callWords(event) };
}

function callWords({ type, step, outcome }: CallEvent): Pick<TailEntry, 'what' | 'tone'> {
  if (type === 'call.answered') return { what: () => tailWords().answered, tone: 'calm' };
  if (type === 'call.returned') return { what: () => tailWords().returned, tone: 'plain' };
  if (type === 'call.ended') {
    const kind = outcome?.kind ?? 'canceled';
    return { what: () => tailWords().ended(names().callOutcome[kind]), tone: OUTCOME_TONES[kind] ?? 'plain' };
  }
  return { what: () => stepText(step), tone: 'plain' };
}

function stepText(step: CallEvent['step']): string {
  const w = tailWords();
  if (step === null) return w.nextStep;
  return step.attempt > 1 ? w.again(w.steps[step.name], step.attempt) : w.steps[step.name];
}

export function eventEntry({ id, type, created_at: at, data }: ListedEvent): TailEntry {
  const merchantId = data?.checkout_session?.merchant_id ?? data?.refund?.merchant_id ?? null;
  const tone = OUTCOME_TONES[type.split('.').at(-1) ?? ''] ?? 'plain';
  return { id, at, what: () => type, tone, merchantId, path: `/events/${id}` };
}

/** Says that the stream has left something out. */
export const gapEntry = (at: string): TailEntry => ({
  id: `gap-${at}`,
  at,
  what: () => tailWords().gap,
  tone: 'wait',
  merchantId: null,
  path: null,
});

interface EntriesProps {
  visit: Visit;
  /** Newest first. */
  entries: readonly TailEntry[];
  /** Of the merchants, by ID. */
  names: ReadonlyMap<string, string>;
}

/** Items of the list. */
export function TailEntries({ visit, entries, names }: EntriesProps) {
  return (
    <>
      {entries.map(({ id, at, what, tone, merchantId, path }) => (
        <li key={id} id={id}>
          <Time at={at} full />
          <span class={`badge ${tone}`}>{what()}</span>
          <span class="quiet">{merchantId !== null && <bdi>{names.get(merchantId) ?? merchantId}</bdi>}</span>
          {path !== null && (
            <a class="id" href={visit.base + path}>
              {path.split('/').at(-1)}
            </a>
          )}
        </li>
      ))}
    </>
  );
}
