/** What the live tail shows: the steps of calls as they happen, and events as they are created. Nothing that callers enter. */

import type { z } from 'zod';
import type { CallEvent, PROGRESS_STEPS } from '../../../domain/call-progress.ts';
import type { EventList } from '../../api/routes/events.ts';
import { Time, type Tone, words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

export type ListedEvent = z.infer<typeof EventList>['events'][number];

export interface TailEntry {
  /** Unique: a browser that reconnects gets some entries again. */
  id: string;
  /** ISO 8601. */
  at: string;
  what: string;
  tone: Tone;
  merchantId: string | null;
  /** Within the mode; null: it leads nowhere. */
  path: string | null;
}

const STEPS: Readonly<Record<(typeof PROGRESS_STEPS)[number], string>> = {
  greeting: 'Hears the greeting',
  language: 'Changed the language',
  saved_card: 'Is asked about a saved card',
  card_number: 'Enters the card number',
  expiry: 'Enters the expiry date',
  security_code: 'Enters the security code',
  postal_code: 'Enters the postal code',
  method: 'Chooses card or bank account',
  bank_account: 'Enters a bank account',
  confirm: 'Is asked to confirm',
  charging: 'Is being charged',
  link: 'Can pay by link',
  returning: 'Returns to the agent',
};

const OUTCOME_TONES: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', pending: 'wait' };

export function callEntry(event: CallEvent): TailEntry {
  const { id, at, callId, merchantId } = event;
  return { id, at, merchantId, path: `/calls/${callId}`, ...callWords(event) };
}

function callWords({ type, step, outcome }: CallEvent): Pick<TailEntry, 'what' | 'tone'> {
  if (type === 'call.answered') return { what: 'Call answered', tone: 'calm' };
  if (type === 'call.returned') return { what: 'Back with the agent', tone: 'plain' };
  if (type === 'call.ended') {
    const kind = outcome?.kind ?? 'canceled';
    return { what: `Call ended: ${words(kind).toLowerCase()}`, tone: OUTCOME_TONES[kind] ?? 'plain' };
  }
  if (step === null) return { what: 'Next step', tone: 'plain' };
  return { what: STEPS[step.name] + (step.attempt > 1 ? `, attempt ${step.attempt}` : ''), tone: 'plain' };
}

export function eventEntry({ id, type, created_at: at, data }: ListedEvent): TailEntry {
  const merchantId = data?.checkout_session?.merchant_id ?? data?.refund?.merchant_id ?? null;
  const tone = OUTCOME_TONES[type.split('.').at(-1) ?? ''] ?? 'plain';
  return { id, at, what: type, tone, merchantId, path: `/events/${id}` };
}

/** Says that the stream has left something out. */
export const gapEntry = (at: string): TailEntry => ({
  id: `gap-${at}`,
  at,
  what: 'Too many entries at once: some are left out',
  tone: 'wait',
  merchantId: null,
  path: null,
});

interface EntriesProps {
  visit: Visit;
  /** Newest first. */
  entries: readonly TailEntry[];
  nameOf: (merchantId: string) => string;
}

/** Items of the list. */
export function TailEntries({ visit, entries, nameOf }: EntriesProps) {
  return (
    <>
      {entries.map(({ id, at, what, tone, merchantId, path }) => (
        <li key={id} id={id}>
          <Time at={at} full />
          <span class={`badge ${tone}`}>{what}</span>
          <span class="quiet">{merchantId !== null && nameOf(merchantId)}</span>
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
