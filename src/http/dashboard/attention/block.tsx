/** On the overview: the newest attention items, with a link to all of them. */
import type { AttentionItemResource } from '../../../contract/attention.ts';
import { Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { attentionPageWords } from './words/index.ts';

const SHOWN = 4;

interface OpenAttention {
  attention_items: readonly AttentionItemResource[];
  has_more: boolean;
}

export const readOpenAttention = (visit: Visit): Promise<OpenAttention> =>
  visit.ask<OpenAttention>({ path: '/v1/attention_items', query: { limit: String(SHOWN) } });

/** Limited users have no settings. */
export const hasPage = ({ user }: Visit, path: string): boolean =>
  user.merchants === null || !path.startsWith('/setup/');

export function AttentionBlock({ visit, attention }: { visit: Visit; attention: OpenAttention }) {
  const { attention_items: items, has_more: hasMore } = attention;
  if (items.length === 0) return null;
  const w = attentionPageWords();
  return (
    <section class="attention-block" aria-labelledby="attention-heading">
      <h2 id="attention-heading">{w.title}</h2>
      <ul>
        {items.map(({ attention_item_id: id, title, dashboard_path: path, opened_at: openedAt }) => (
          <li key={id}>
            {hasPage(visit, path) ? <a href={visit.base + path}>{title}</a> : title} <Time at={openedAt} />
          </li>
        ))}
      </ul>
      <a class="button" href={`${visit.base}/attention`}>
        {hasMore ? w.showAll : w.showWhatToDo}
      </a>
    </section>
  );
}
