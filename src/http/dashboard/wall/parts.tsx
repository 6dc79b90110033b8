/** The figures of the wall board. Callers have at most the last two digits of their number. */
import type { ComponentChildren } from 'preact';
import type { CallResource } from '../../../contract/calls.ts';
import { LiveStep } from '../now/live-calls.tsx';
import type { LiveCalls } from '../now/stream.ts';
import { durationText } from '../page/links.tsx';
import { moneyText, Time } from '../page/parts.tsx';
import { numberText, percentText } from '../words/formats.ts';
import { wallWords } from './words/index.ts';

export interface Hour {
  succeeded: number;
  failed: number;
}

export interface Wall {
  live: LiveCalls;
  /** Null if counting takes too long. */
  hour: Hour | null;
  /** Open attention items, 100 or fewer. */
  attention: number;
}

/** Calls in the list. It has a fixed height, so that nothing jumps. */
const SHOWN = 6;

/** @param now of the server. The page's script counts from it */
export function WallPart({ wall: { live, hour, attention }, now }: { wall: Wall; now: Date }) {
  const { calls, hasMore } = live;
  const clock = now.toISOString();
  const shown = calls.slice(0, SHOWN);
  const w = wallWords();
  return (
    <div data-live-calls={calls.length} data-now={clock}>
      <dl class="wall-figures">
        <Figure name={w.liveCalls} value={`${numberText(calls.length)}${hasMore ? '+' : ''}`} />
        <Figure name={w.inProgress} value={<InProgress calls={calls} />} />
        <Figure name={w.rate} value={<Rate hour={hour} />} about={rateAbout(hour)} />
        <Figure name={w.attention} value={attention >= 100 ? '99+' : String(attention)} isWarning={attention > 0} />
      </dl>
      <ol class="wall-calls" aria-label={w.newest}>
        {shown.map((call) => (
          <li key={call.call_id}>
            <LiveStep call={call} />
            <span class="number">{amountOf(call)}</span>
            <span class="quiet number">{maskedNumber(call.caller_phone)}</span>
            <span class="number" data-since={call.created_at}>
              {durationText(call.created_at, clock)}
            </span>
          </li>
        ))}
      </ol>
      <p class="wall-more">
        {calls.length > SHOWN && `${w.more(numberText(calls.length - SHOWN))} `}
        {w.changed(<Time at={clock} full />)}
      </p>
    </div>
  );
}

interface FigureProps {
  name: string;
  value: ComponentChildren;
  about?: string | undefined;
  isWarning?: boolean;
}

const Figure = ({ name, value, about, isWarning = false }: FigureProps) => (
  <div class={isWarning ? 'warning' : undefined}>
    <dt>{name}</dt>
    <dd>
      <span class="number">{value}</span>
      <small>{about}</small>
    </dd>
  </div>
);

/** Of the live calls, by currency. */
function InProgress({ calls }: { calls: readonly CallResource[] }) {
  const sums = new Map<string, number>();
  for (const { amount_cents: cents, currency } of calls)
    if (cents && currency !== null) sums.set(currency, (sums.get(currency) ?? 0) + cents);
  if (sums.size === 0) return <>–</>;
  return (
    <>
      {[...sums].map(([currency, cents]) => (
        <span key={currency}>{moneyText(cents, currency)} </span>
      ))}
    </>
  );
}

function Rate({ hour }: { hour: Hour | null }) {
  if (hour === null || hour.succeeded + hour.failed === 0) return <>–</>;
  return <>{percentText(hour.succeeded / (hour.succeeded + hour.failed))}</>;
}

function rateAbout(hour: Hour | null): string {
  const w = wallWords();
  if (hour === null) return w.notKnown;
  const all = hour.succeeded + hour.failed;
  return all === 0 ? w.noCharges : w.ofCharges(numberText(hour.succeeded), numberText(all));
}

const amountOf = ({ amount_cents: cents, currency }: CallResource) =>
  cents && currency !== null ? moneyText(cents, currency) : '';

const maskedNumber = (phone: string | null) => (phone === null ? '' : `···· ${phone.slice(-2)}`);
