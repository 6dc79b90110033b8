/** Search: an id leads to the page of what it names; other texts to the lists that can be asked for them. */
import type { AddPages, Taken } from '../page-routes.ts';
import { EmptyState } from '../views/parts.tsx';
import type { Visit } from '../visit.ts';

export const searchPages: AddPages = ({ page }) => {
  page('/search', search);
};

/** Where objects have their pages, by the prefix of their ids. */
const PAGES: Record<string, string> = {
  cs: '/checkouts/:id',
  ch: '/charges/:id',
  re: '/refunds/:id',
  evt: '/events/:id',
  call: '/calls/:id',
  req: '/requests/:id',
};

const ID = /^([a-z]{2,5})_[a-z0-9_]{1,64}$/;

async function search({ query, base, knownPaths }: Visit): Promise<Taken> {
  const text = (query.q ?? '').trim();
  const prefix = ID.exec(text)?.[1] ?? '';
  const path = PAGES[prefix];
  if (path !== undefined && knownPaths.has(path)) return { to: path.replace(':id', text) };
  return {
    title: 'Search',
    section: null,
    body: (
      <>
        <div class="head">
          <h1>Search</h1>
        </div>
        <EmptyState
          icon="search"
          title={text === '' ? 'What are you looking for?' : 'Nothing was found'}
          text="Any id of this mode leads to its page: a refund (re_…), an event (evt_…)."
          action={
            <a class="button" href={base}>
              Back to the lists
            </a>
          }
        />
      </>
    ),
  };
}
