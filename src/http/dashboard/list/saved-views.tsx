/**
 * Saved views of a list: its filters under a name, each with an address of its own. A view only stands for the filters
 * in the URL, so it shows each user what the user may see.
 */
import { MAX_VIEWS, removeView, renameView, saveView } from '../../../accounts/users/saved-views.ts';
import { findSavedView, listSavedViews, type ViewScope } from '../../../db/users/saved-views.ts';
import { hasCardData } from '../../../domain/card-data.ts';
import { parseId } from '../../../domain/ids.ts';
import { MAX_VIEW_NAME, MAX_VIEW_QUERY, type SavedView } from '../../../domain/saved-view.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Form } from '../form/form.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, PageRoutes, Taken } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { activeFilters, type Filter, periodFaultText } from './filters.tsx';
import { listWords } from './words/index.ts';

type Database = PageRoutes['database'];

/** Filters that are not saved, because they are about a person or a card. */
const PRIVATE: ReadonlySet<string> = new Set(['caller_phone', 'last_four']);

/** The addresses of views, and changing them. Saving is an action of each list. */
export const savedViewPages: AddPages = ({ page, action, database }) => {
  page('/views/:id', async (visit) => {
    const { list, query } = await requireView(database, visit);
    return { to: `${list}?${query}` };
  });
  action('/views/:id', (visit, fields) => rename(database, visit, fields));
  action('/views/:id/delete', (visit) => remove(database, visit));
};

const scopeOf = ({ user: { accountId, userId, merchants }, mode }: Visit): ViewScope => ({
  accountId,
  mode,
  userId,
  isLimited: merchants !== null,
});

/** The demo has no user, so its views are shared. */
const mayShare = ({ user }: Visit) => roleCovers(user.role, 'support') && user.merchants === null;
const mayChange = (visit: Visit, { userId }: SavedView) => userId !== null || mayShare(visit);

async function requireView(database: Database, visit: Visit<'id'>): Promise<SavedView> {
  const id = parseId('SavedView', visit.params.id);
  const view = id === null ? null : await findSavedView(database, scopeOf(visit), id);
  if (view === null) throw new DashboardFault('not_found');
  return view;
}

async function requireOwnView(database: Database, visit: Visit<'id'>): Promise<SavedView> {
  const view = await requireView(database, visit);
  if (!mayChange(visit, view)) throw new DashboardFault('forbidden');
  return view;
}

async function rename(database: Database, visit: Visit<'id'>, { name = '' }: FormFields): Promise<Taken> {
  const view = await requireOwnView(database, visit);
  await renameView(database, visit.actor, scopeOf(visit), view, requireName(name));
  return { to: `${view.list}?${view.query}` };
}

async function remove(database: Database, visit: Visit<'id'>): Promise<Taken> {
  const view = await requireOwnView(database, visit);
  await removeView(database, visit.actor, scopeOf(visit), view);
  return { to: `${view.list}?${view.query}` };
}

function requireName(text: string): string {
  const name = text.trim();
  const w = listWords().views;
  const isName = name !== '' && name.length <= MAX_VIEW_NAME && !/\p{Cc}/u.test(name);
  if (!isName) throw new DashboardFault('refused', w.nameLength(MAX_VIEW_NAME), { isOwn: true });
  if (hasCardData(name)) throw new DashboardFault('refused', w.nameCard, { isOwn: true });
  return name;
}

interface ListOfViews {
  /** Within the mode. */
  path: string;
  filters: readonly Filter[];
}

/** `POST` of the form that saves the filters. */
export async function saveFilters(
  database: Database,
  visit: Visit,
  fields: FormFields,
  { path, filters }: ListOfViews,
): Promise<Taken> {
  const given = Object.fromEntries(new URLSearchParams(fields.query ?? ''));
  const query = savedQuery({ query: given }, filters);
  if (query === null) throw new DashboardFault('refused', listWords().views.notSaved, { isOwn: true });
  const isShared = visit.user.isDemo || fields.shared === 'on';
  if (isShared && !mayShare(visit)) throw new DashboardFault('forbidden');
  const view = { list: path, query, name: requireName(fields.name ?? ''), isShared };
  const saved = await saveView(database, visit.actor, scopeOf(visit), view);
  if (saved === null) throw new DashboardFault('refused', listWords().views.tooMany(MAX_VIEWS), { isOwn: true });
  return { to: `${path}?${query}` };
}

/** The filters in the URL, in their order. Null if there are none, or if they are private or contain card data. */
function savedQuery(visit: Pick<Visit, 'query'>, filters: readonly Filter[]): string | null {
  const active = activeFilters(visit, filters);
  const names = Object.keys(active);
  const query = String(new URLSearchParams(active));
  if (names.length === 0 || query.length > MAX_VIEW_QUERY) return null;
  if (periodFaultText(visit, filters) !== null) return null;
  return names.some((name) => PRIVATE.has(name)) || Object.values(active).some(hasCardData) ? null : query;
}

/** The views between the filters and the list, and a form to save its filters or to change the shown view. */
export async function viewsAbove(database: Database, visit: Visit, { path, filters }: ListOfViews) {
  const views = await listSavedViews(database, scopeOf(visit), path);
  const query = savedQuery(visit, filters);
  const shown = views.find((view) => view.query === query) ?? null;
  const w = listWords().views;
  return (
    <div id="views" class="views">
      {views.length > 0 && (
        <nav aria-label={w.all}>
          {views.map((view) => (
            <a
              key={view.id}
              class="view"
              href={`${visit.base}/views/${view.id}`}
              aria-current={view === shown ? 'page' : undefined}
            >
              <bdi>{view.name}</bdi>
              {view.userId === null && <span class="quiet small"> {w.shared}</span>}
            </a>
          ))}
        </nav>
      )}
      {shown !== null && mayChange(visit, shown) && <ChangeView visit={visit} view={shown} />}
      {shown === null && query !== null && <SaveView visit={visit} action={`${path}/views`} query={query} />}
    </div>
  );
}

const NameField = ({ name }: { name: string }) => (
  <div class="field">
    <label for="view-name">{listWords().views.name}</label>
    <input id="view-name" name="name" value={name} maxlength={MAX_VIEW_NAME} required autocomplete="off" />
  </div>
);

function SaveView({ visit, action, query }: { visit: Visit; action: string; query: string }) {
  const w = listWords().views;
  return (
    <details data-closes>
      <summary>{w.save}</summary>
      <div class="view-form">
        <Form visit={visit} action={action} submit={w.save} isOnce>
          <input type="hidden" name="query" value={query} />
          <NameField name="" />
          {mayShare(visit) && !visit.user.isDemo && (
            <label class="check">
              <input type="checkbox" name="shared" value="on" /> {w.share}
            </label>
          )}
        </Form>
      </div>
    </details>
  );
}

function ChangeView({ visit, view }: { visit: Visit; view: SavedView }) {
  const path = `/views/${view.id}`;
  const w = listWords().views;
  return (
    <details data-closes>
      <summary>{w.change}</summary>
      <div class="view-form">
        <Form visit={visit} action={path} submit={w.rename}>
          <NameField name={view.name} />
        </Form>
        <Form visit={visit} action={`${path}/delete`} submit={w.remove} tone="danger" />
      </div>
    </details>
  );
}
