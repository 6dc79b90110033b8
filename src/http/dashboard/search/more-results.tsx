/** The links from what a search shows of a list to all that the list has. */
import { orderFilters, searchOf } from '../list/filters.tsx';
import type { Visit } from '../page/visit.ts';
import type { Found, Listed } from './find.ts';
import { searchWords } from './words/index.ts';

const LISTS: Readonly<Record<Listed, string>> = {
  merchants: '/setup/merchants',
  calls: '/calls',
  charges: '/charges',
  checkouts: '/checkouts',
};

/** Shown if there are more results. Leads to the list with the same filter, if the user may see it. */
export function MoreResults({ visit: { base, knownPaths }, found, of }: { visit: Visit; found: Found; of: Listed }) {
  const queries = found.more[of];
  if (queries.length === 0) return null;
  return (
    <div class="actions">
      <span class="quiet">{searchWords().newestOnly}</span>
      {knownPaths.has(LISTS[of]) &&
        queries.map((query) => (
          <a key={Object.keys(query)[0]} href={base + LISTS[of] + searchOf(query)}>
            {linkText(of, query)}
          </a>
        ))}
    </div>
  );
}

/** Names the list and the filter: a text can match several of both, and each has its own link. */
function linkText(of: Listed, query: Readonly<Record<string, string>>): string {
  const w = searchWords();
  const filter = orderFilters().find(({ name }) => query[name] !== undefined);
  return filter === undefined ? w.all[of] : w.by(w.all[of], filter.label);
}
