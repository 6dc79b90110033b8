/** `/attention`: what needs a person, what to do, and buttons to set it aside. */
import type { AttentionItemResource } from '../../../contract/attention.ts';
import { ATTENTION_STATUSES, type AttentionStatus } from '../../../domain/attention.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Form } from '../form/form.tsx';
import { attentionText } from '../page/navigation.tsx';
import { type AddPages, type FormFields, openAttention, type Taken, type View } from '../page/page-routes.ts';
import { EmptyState, Notice, noticeOf, PageHead, Time } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { choicesOf } from '../words/names/index.ts';
import { attentionTitle, hasPage, mostUrgentFirst, READ } from './block.tsx';
import { type AttentionPageWords, attentionPageWords } from './words/index.ts';

const PATH = '/attention';

export const attentionPages: AddPages = ({ page, action, news, database }) => {
  page(PATH, showAttention);
  // For the number in the menu of an open page.
  news(`${PATH}/count`, async (visit, reply) =>
    reply.type('text/plain; charset=utf-8').send(attentionText(await openAttention(database, visit))),
  );
  action(`${PATH}/:id/finish`, (visit) => mark(visit, 'finish', 'done'));
  action(`${PATH}/:id/reopen`, (visit) => mark(visit, 'reopen', 'reopened'));
  action(`${PATH}/:id/quiet`, (visit, fields) => mark(visit, 'quiet', 'quiet', { hours: hoursOf(fields) }));
};

/** For how long an item can be quiet, in hours. */
const QUIET_HOURS = { '1h': 1, '1d': 24, '1w': 7 * 24 } as const;
export type QuietTime = keyof typeof QUIET_HOURS;

const hoursOf = ({ for: chosen = '' }: FormFields): number =>
  Object.entries(QUIET_HOURS).find(([name]) => name === chosen)?.[1] ?? QUIET_HOURS['1h'];

type NoticeName = keyof AttentionPageWords['notices'];

async function mark(visit: Visit<'id'>, verb: string, notice: NoticeName, body?: object): Promise<Taken> {
  await visit.ask({
    method: 'POST',
    path: `/v1/attention_items/${idInPath(visit)}/${verb}`,
    ...(body !== undefined && { body }),
  });
  return { to: `${PATH}?notice=${notice}` };
}

async function showAttention(visit: Visit): Promise<View> {
  const status = ATTENTION_STATUSES.find((each) => each === visit.query.status) ?? 'open';
  const { attention_items: items, has_more: hasMore } = await visit.ask<{
    attention_items: readonly AttentionItemResource[];
    has_more: boolean;
  }>({ path: '/v1/attention_items', query: { status, limit: String(READ) } });
  const w = attentionPageWords();
  const notice = noticeOf(visit, w.notices);
  return {
    title: w.title,
    section: 'attention',
    body: (
      <>
        {notice !== null && <Notice title={notice} />}
        <PageHead title={w.title} lead={w.lead}>
          {visit.user.merchants === null && (
            <div class="actions">
              <a class="button" href={visit.base + (visit.user.isDemo ? '/setup/alerts' : '/your-alerts')}>
                {w.alerts}
              </a>
            </div>
          )}
        </PageHead>
        <nav class="tabs" aria-label={w.status}>
          {ATTENTION_STATUSES.map((each) => (
            <a
              key={each}
              href={`${visit.base}${PATH}${each === 'open' ? '' : `?status=${each}`}`}
              aria-current={each === status ? 'true' : undefined}
            >
              {w.tabs[each]}
            </a>
          ))}
        </nav>
        {items.length === 0 ? (
          <EmptyState icon="check" {...w.empty[status]} />
        ) : (
          <ul class="attention" aria-label={w.lists[status]}>
            {(status === 'open' ? mostUrgentFirst(items) : items).map((item) => (
              <Item key={item.attention_item_id} visit={visit} item={item} status={status} />
            ))}
          </ul>
        )}
        {hasMore && <p class="quiet small">{w.onlyNewest(READ)}</p>}
      </>
    ),
  };
}

interface ItemProps {
  visit: Visit;
  item: AttentionItemResource;
  status: AttentionStatus;
}

function Item({ visit, item, status }: ItemProps) {
  const w = attentionPageWords();
  return (
    <li data-row tabindex={-1}>
      <div>
        <h2>{attentionTitle(item)}</h2>
        {/* Folded on phones only, by the style sheet. */}
        <details class="about">
          <summary>
            {w.details} <span class="unseen">{item.title}</span>
          </summary>
          <p>{item.detail}</p>
        </details>
        {status !== 'closed' && <p class="advice">{item.advice}</p>}
        <p class={`state quiet small${status === 'open' ? ' short' : ''}`}>
          <State item={item} status={status} />
        </p>
      </div>
      <div class="actions">
        {hasPage(visit, item.dashboard_path) && (
          <a class="button first" href={visit.base + item.dashboard_path}>
            {w.view} <span class="unseen">{item.title}</span>
          </a>
        )}
        {roleCovers(visit.user.role, 'support') && <Marks visit={visit} item={item} status={status} />}
      </div>
    </li>
  );
}

function State({ item, status }: Omit<ItemProps, 'visit'>) {
  const { opened_at: openedAt, closed_at: closedAt, quiet_until: quietUntil, done_at: doneAt } = item;
  const w = attentionPageWords();
  const opened = <Time at={openedAt} />;
  if (status === 'closed' && closedAt !== null) return w.closed(opened, <Time at={closedAt} />);
  if (status === 'set_aside' && quietUntil !== null) return w.snoozed(opened, <Time at={quietUntil} />);
  if (status === 'set_aside' && doneAt !== null) return w.done(opened, <Time at={doneAt} />);
  return w.since(opened);
}

function Marks({ visit, item: { attention_item_id: id }, status }: ItemProps) {
  if (status === 'closed') return null;
  const w = attentionPageWords();
  const path = `${PATH}/${encodeURIComponent(id)}`;
  if (status === 'set_aside') return <Form visit={visit} action={`${path}/reopen`} submit={w.showAgain} tone="plain" />;
  return (
    <>
      <Form visit={visit} action={`${path}/finish`} submit={w.finish} tone="plain" />
      <details class="quiet-for">
        <summary class="button">{w.snooze}</summary>
        <Form visit={visit} action={`${path}/quiet`} submit={w.snooze} tone="plain">
          <div class="field">
            <label for={`for-${id}`}>{w.snoozeFor}</label>
            <select id={`for-${id}`} name="for">
              {choicesOf(w.times).map(([value, label]) => (
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
