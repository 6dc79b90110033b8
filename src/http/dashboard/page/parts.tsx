/** Small parts of pages: badges, money, times, IDs, notices, empty states, facts, timelines. */

import type { ComponentChildren } from 'preact';
import { CodeBlock } from '../../shared/document.tsx';
import { localTimeText, moneyText, timeZoneText } from '../words/formats.ts';
import { Icon, type IconName } from './icons.tsx';
import type { Visit } from './visit.ts';
import { pageWords } from './words/index.ts';

export { moneyText } from '../words/formats.ts';

export type Tone = 'good' | 'bad' | 'wait' | 'calm' | 'plain';

const TONES: Record<string, Tone> = {
  succeeded: 'good',
  delivered: 'good',
  complete: 'good',
  paid: 'good',
  sent: 'good',
  failed: 'bad',
  declined: 'bad',
  error: 'bad',
  undelivered: 'bad',
  pending: 'wait',
  waiting: 'wait',
  queued: 'wait',
  open: 'calm',
};

/** A status with its color. @param name its words, from the catalogue. @param tone if the status alone does not determine it */
export function Badge({ status, name, tone }: { status: string; name: string; tone?: Tone | undefined }) {
  return <span class={`badge ${tone ?? TONES[status] ?? 'plain'}`}>{name}</span>;
}

/** The text with its first letter capitalized. */
export const sentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Checkouts and charges that only save a card have the amount 0. */
export function Money({ cents, currency }: { cents: number; currency: string }) {
  if (cents === 0) return <span class="quiet">{pageWords().noPayment}</span>;
  return <span class="number">{moneyText(cents, currency)}</span>;
}

/**
 * A time, in the time zone that every page names. The title has the offset.
 * @param at ISO 8601
 */
export function Time({ at, full = false }: { at: string; full?: boolean }) {
  const form = full ? 'full' : 'short';
  return (
    <time class="number" datetime={at} title={localTimeText(at, 'exact')}>
      {localTimeText(at, form)}
    </time>
  );
}

/** Where the layout names the time zone. */
export const TIME_ZONE_NAMES = ['#time-zone', '#time-zone-in-menu'] as const;

/** The time zone of all times on the page. */
export const TimeZoneName = () => <bdi data-zone>{timeZoneText()}</bdi>;

/** An ID with a copy button. */
export const Id = ({ id }: { id: string }) => <CopyText text={id} label={pageWords().copyId} />;

/** A text with a copy button. @param label of the button, for screen readers: "Copy the ID" */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <span class="with-copy">
      <span class="id">{text}</span> <CopyButton text={text} label={label} />
    </span>
  );
}

/** @param label for screen readers: "Copy the ID" */
export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <button type="button" class="copy" data-copy={text} aria-label={label} hidden>
      <Icon name="copy" />
    </button>
  );
}

/** The heading of a page. @param children at the right: buttons */
export function PageHead({
  title,
  lead,
  children,
}: {
  title: ComponentChildren;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="head">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children}
    </div>
  );
}

interface NoticeProps {
  tone?: Tone;
  title: ComponentChildren;
  /**
   * Takes the focus when the page opens, so that the button of its form is one Tab away. The button itself must not
   * have it: Enter, held down on the page before, would press it.
   */
  isFocused?: boolean;
  children?: ComponentChildren;
}

export function Notice({ tone = 'calm', title, isFocused = false, children }: NoticeProps) {
  return (
    <div
      class={`notice ${tone}`}
      role={tone === 'bad' ? 'alert' : 'status'}
      tabindex={isFocused ? -1 : undefined}
      autofocus={isFocused}
    >
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** Shown if there is no data yet: what will appear here, and how to get it. */
export interface Empty {
  icon: IconName;
  title: string;
  text: ComponentChildren;
  action?: ComponentChildren;
}

export function EmptyState(empty: Empty) {
  return (
    <div class="empty">
      <span class="sign">
        <Icon name={empty.icon} size={24} />
      </span>
      <h2>{empty.title}</h2>
      <p>{empty.text}</p>
      {empty.action !== undefined && <div class="actions">{empty.action}</div>}
    </div>
  );
}

/** Not shown if it or its value is null. */
type Fact = readonly [name: string, value: ComponentChildren] | null;

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact, place) =>
          fact !== null &&
          fact[1] !== null && (
            <div key={place}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export interface TimelineEntry {
  /** ISO 8601. */
  at: string;
  /** The kind of object: "Call", "Text". */
  kind?: string;
  what: ComponentChildren;
  more?: ComponentChildren;
  tone?: Tone;
}

/** Activity, in the order of `entries`. @param none shown if there are no entries */
export function Timeline({
  entries,
  label,
  none,
}: {
  entries: readonly TimelineEntry[];
  label: string;
  none?: string;
}) {
  if (entries.length === 0) return <p class="quiet">{none}</p>;
  return (
    <ol class="line" aria-label={label}>
      {entries.map(({ at, kind, what, more, tone = 'plain' }, place) => (
        <li key={place} class={tone}>
          <span class="what">
            {kind !== undefined && <span class="of">{kind}</span>} {what}
          </span>
          <Time at={at} full />
          {more !== undefined && <div class="more">{more}</div>}
        </li>
      ))}
    </ol>
  );
}

/** A part of a page with its own heading. */
export function Block({ title, id, children }: { title: string; id?: string; children: ComponentChildren }) {
  return (
    <section class="block" id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** JSON as it is sent. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <section aria-label={label}>
      <CodeBlock text={JSON.stringify(value, null, 2)} />
    </section>
  );
}

/**
 * @param notices by name. @returns null for any other name, including `constructor`
 */
export function noticeOf({ query: { notice = '' } }: Pick<Visit, 'query'>, notices: Readonly<Record<string, string>>) {
  return Object.hasOwn(notices, notice) ? (notices[notice] ?? null) : null;
}

/** Details that open and close. @param id unique on the page: a part that is replaced stays open */
export function Fold({
  id,
  summary,
  children,
}: {
  id: string;
  summary: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <details class="fold" id={id}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

interface ObjectPageProps {
  /** "Refund". */
  kind: string;
  id: string;
  /** The heading: an amount or a name, with a {@link Badge}. */
  heading: ComponentChildren;
  /** A sentence below the heading. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  notice?: ComponentChildren;
  /** {@link Block}s: the activity and related objects. */
  children: ComponentChildren;
  /** {@link Facts}. */
  side: ComponentChildren;
}

export function ObjectPage({ kind, id, heading, lead, actions, notice, children, side }: ObjectPageProps) {
  return (
    <>
      {notice}
      <div class="head">
        <div class="object">
          <p class="kind">
            {kind} <Id id={id} />
          </p>
          <h1>{heading}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      <div class="columns">
        <div>{children}</div>
        <aside aria-label={pageWords().facts}>{side}</aside>
      </div>
    </>
  );
}
