/** `/attention`: what needs a person, what to do, and buttons to set it aside. */
import type { AttentionItemResource } from '../../../contract/attention.ts';
import { ATTENTION_STATUSES, type AttentionStatus } from '../../../domain/attention.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Form } from '../form/form.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { type Empty, EmptyState, Notice, noticeOf, PageHead, Time } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { hasPage } from './block.tsx';

const PATH = '/attention';

export const attentionPages: AddPages = ({ page, action }) => {
  page(PATH, showAttention);
  action(`${PATH}/:id/finish`, (visit) => mark(visit, 'finish', 'done'));
  action(`${PATH}/:id/reopen`, (visit) => mark(visit, 'reopen', 'reopened'));
  action(`${PATH}/:id/quiet`, (visit, fields) => mark(visit, 'quiet', 'quiet', { hours: hoursOf(fields) }));
};

const QUIET_FOR = { '1h': ['1 hour', 1], '1d': ['1 day', 24], '1w': ['1 week', 7 * 24] } as const;

function hoursOf({ for: chosen = '' }: FormFields): number {
  const [, hours] = Object.entries(QUIET_FOR).find(([name]) => name === chosen)?.[1] ?? QUIET_FOR['1h'];
  return hours;
}

const NOTICES = {
  done: 'Marked as done. It appears again if there is a newer cause.',
  quiet: 'Snoozed.',
  reopened: 'Shown again.',
} as const;

async function mark(visit: Visit<'id'>, verb: string, notice: keyof typeof NOTICES, body?: object): Promise<Taken> {
  await visit.ask({
    method: 'POST',
    path: `/v1/attention_items/${idInPath(visit)}/${verb}`,
    ...(body !== undefined && { body }),
  });
  return { to: `${PATH}?notice=${notice}` };
}

const TABS: Readonly<Record<AttentionStatus, string>> = { open: 'Open', set_aside: 'Set aside', closed: 'Closed' };
const SHOWN = '100';

async function showAttention(visit: Visit): Promise<View> {
  const status = ATTENTION_STATUSES.find((each) => each === visit.query.status) ?? 'open';
  const { attention_items: items, has_more: hasMore } = await visit.ask<{
    attention_items: readonly AttentionItemResource[];
    has_more: boolean;
  }>({ path: '/v1/attention_items', query: { status, limit: SHOWN } });
  const notice = noticeOf(visit, NOTICES);
  return {
    title: 'Needs attention',
    section: 'attention',
    body: (
      <>
        {notice !== null && <Notice title={notice} />}
        <PageHead title="Needs attention" lead="Each item closes by itself when its cause is gone.">
          {visit.user.merchants === null && (
            <div class="actions">
              <a class="button" href={visit.base + (visit.user.isDemo ? '/setup/alerts' : '/your-alerts')}>
                Alerts
              </a>
            </div>
          )}
        </PageHead>
        <nav class="tabs" aria-label="Status">
          {ATTENTION_STATUSES.map((each) => (
            <a
              key={each}
              href={`${visit.base}${PATH}${each === 'open' ? '' : `?status=${each}`}`}
              aria-current={each === status ? 'true' : undefined}
            >
              {TABS[each]}
            </a>
          ))}
        </nav>
        {items.length === 0 ? (
          <EmptyState {...EMPTY[status]} />
        ) : (
          <ul class="attention" aria-label={`${TABS[status]}, newest first`}>
            {items.map((item) => (
              <Item key={item.attention_item_id} visit={visit} item={item} status={status} />
            ))}
          </ul>
        )}
        {hasMore && <p class="quiet small">Only the newest {SHOWN} are shown.</p>}
      </>
    ),
  };
}

const EMPTY: Readonly<Record<AttentionStatus, Empty>> = {
  open: {
    icon: 'check',
    title: 'Nothing needs attention',
    text: 'Payments without an outcome, late payments, failing webhooks, texts that were not delivered and the like appear here.',
  },
  set_aside: {
    icon: 'check',
    title: 'Nothing is set aside',
    text: 'Items that are done or snoozed appear here until their cause is gone.',
  },
  closed: { icon: 'check', title: 'No closed items yet', text: 'Closed items are kept for 90 days.' },
};

interface ItemProps {
  visit: Visit;
  item: AttentionItemResource;
  status: AttentionStatus;
}

function Item({ visit, item, status }: ItemProps) {
  return (
    <li>
      <div>
        <h2>{item.title}</h2>
        <p>{item.detail}</p>
        {status !== 'closed' && <p>{item.advice}</p>}
        <p class="quiet small">
          Since <Time at={item.opened_at} />
          <State item={item} status={status} />
        </p>
      </div>
      <div class="actions">
        {hasPage(visit, item.dashboard_path) && (
          <a class="button first" href={visit.base + item.dashboard_path}>
            View <span class="unseen">{item.title}</span>
          </a>
        )}
        {roleCovers(visit.user.role, 'support') && <Marks visit={visit} item={item} status={status} />}
      </div>
    </li>
  );
}

function State({
  item: { closed_at: closedAt, quiet_until: quietUntil, done_at: doneAt },
  status,
}: Omit<ItemProps, 'visit'>) {
  if (status === 'open') return null;
  const [words, at] =
    status === 'closed'
      ? (['closed', closedAt] as const)
      : quietUntil !== null
        ? (['snoozed until', quietUntil] as const)
        : (['done', doneAt] as const);
  return at === null ? null : (
    <>
      , {words} <Time at={at} />
    </>
  );
}

function Marks({ visit, item: { attention_item_id: id }, status }: ItemProps) {
  if (status === 'closed') return null;
  const path = `${PATH}/${encodeURIComponent(id)}`;
  if (status === 'set_aside') return <Form visit={visit} action={`${path}/reopen`} submit="Show again" tone="plain" />;
  return (
    <>
      <Form visit={visit} action={`${path}/finish`} submit="Done" tone="plain" />
      <details class="quiet-for">
        <summary class="button">Snooze</summary>
        <Form visit={visit} action={`${path}/quiet`} submit="Snooze" tone="plain">
          <div class="field">
            <label for={`for-${id}`}>Snooze for</label>
            <select id={`for-${id}`} name="for">
              {Object.entries(QUIET_FOR).map(([value, [label]]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        </Form>
      </details>
    </>
  );
}
