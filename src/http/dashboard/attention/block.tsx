/** On the overview: the most urgent attention items, with a link to all of them. */
import { alertTexts } from '../../../alerts/words/index.ts';
import type { AttentionItemResource } from '../../../contract/attention.ts';
import { isUrgent, urgentFirst } from '../../../domain/alerts.ts';
import { Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { language } from '../words/language.ts';
import { attentionPageWords } from './words/index.ts';

const SHOWN = 4;
/** So many are read here and on the page: those that are urgent may not be the newest. */
export const READ = 100;

interface OpenAttention {
  attention_items: readonly AttentionItemResource[];
}

export const readOpenAttention = (visit: Visit): Promise<OpenAttention> =>
  visit.ask<OpenAttention>({ path: '/v1/attention_items', query: { limit: String(READ) } });

type Item = Pick<AttentionItemResource, 'kind' | 'title'>;

/** In the order of the page and the overview. @param items newest first */
export const mostUrgentFirst = <T extends Item>(items: readonly T[]): T[] =>
  urgentFirst(items, ({ kind }) => isUrgent(kind));

/** As in alerts. */
export const attentionTitle = ({ kind, title }: Item): string =>
  isUrgent(kind) ? alertTexts(language()).urgent(title) : title;

/** Limited users have no settings. */
export const hasPage = ({ user }: Visit, path: string): boolean =>
  user.merchants === null || !path.startsWith('/setup/');

export function AttentionBlock({ visit, attention }: { visit: Visit; attention: OpenAttention }) {
  const items = mostUrgentFirst(attention.attention_items);
  if (items.length === 0) return null;
  const w = attentionPageWords();
  return (
    <section class="attention-block" aria-labelledby="attention-heading">
      <h2 id="attention-heading">{w.title}</h2>
      <ul>
        {items.slice(0, SHOWN).map((item) => (
          <li key={item.attention_item_id}>
            {hasPage(visit, item.dashboard_path) ? (
              <a href={visit.base + item.dashboard_path}>{attentionTitle(item)}</a>
            ) : (
              attentionTitle(item)
            )}{' '}
            <Time at={item.opened_at} />
          </li>
        ))}
      </ul>
      <a class="button" href={`${visit.base}/attention`}>
        {items.length > SHOWN ? w.showAll : w.showWhatToDo}
      </a>
    </section>
  );
}
