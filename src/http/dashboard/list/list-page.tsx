/**
 * The page of a list: filters in the URL, table, pagination, CSV. htmx replaces only the results.
 *
 *     export const textPages = listPage<TextResource>(() => ({ at: { section: 'texts' }, title: w().title, source: …, … }));
 */
import type { ComponentChildren } from 'preact';
import { maySend } from '../form/roles.tsx';
import { type SettingsTab, settingsPath, settingsView } from '../form/settings.tsx';
import { Icon } from '../page/icons.tsx';
import type { SectionId } from '../page/navigation.tsx';
import type { AddPages, PageRoutes, View } from '../page/page-routes.ts';
import { type Empty, EmptyState, Notice, PageHead } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { intervalRangeText } from '../words/formats.ts';
import {
  activeFilters,
  type Filter,
  Filters,
  PrintedFilters,
  periodFaultText,
  searchOf,
  shownTo,
  withChoices,
} from './filters.tsx';
import { downloadList, filterQuery, type ListReading, type ListSource, readList } from './list-reading.ts';
import { daysOf, intervalOf } from './period.ts';
import { saveFilters, viewsAbove } from './saved-views.tsx';
import { totalsInTime } from './totals.tsx';
import { listWords } from './words/index.ts';

/** @typeParam T a row, as REST lists it */
interface List<T extends object> {
  /** The section in the navigation, whose path is the list's, or the tab of the settings. */
  at: { section: SectionId } | { tab: SettingsTab };
  title: string;
  lead?: ComponentChildren;
  /** The table's name for screen readers: "Calls, newest first". */
  label: string;
  source: ListSource<T>;
  filters?: readonly Filter[];
  /** Filters of this list cannot be saved under a name. */
  hasNoViews?: true;
  /** The first column names the row, and its cell is the link. @param rows those shown, to read more about them */
  columns: (visit: Visit, rows: readonly T[]) => readonly Column<T>[] | Promise<readonly Column<T>[]>;
  /** The link of a row, within the mode. Optional. */
  href?: (row: T) => string;
  /** The fields of the CSV file, in order. `charge.status` is a nested field. Without them, there is no file. */
  csv?: readonly string[];
  /** The button that creates an object, and the path of its form within the mode. Also shown if the list is empty. */
  add?: { text: string; path: string };
  /** Shown above the rows: a summary of all that match the filters. @param query for REST */
  summary?: (visit: Visit, query: Record<string, string | undefined>) => Promise<ComponentChildren>;
  /** Shown if the list is empty without filters. */
  empty: (visit: Visit) => Empty;
}

/** Adds the page of the list, and its CSV file. @param describe called for each request, in its language */
export function listPage<T extends object>(describe: () => List<T>): AddPages {
  return (routes) => {
    const { page, download, action, database } = routes;
    const { at, source, filters = [], hasNoViews, csv: columns } = describe();
    const hasViews = filters.length > 0 && hasNoViews !== true;
    const path = 'tab' in at ? settingsPath(at.tab) : `/${at.section}`;
    const filtersFor = (visit: Visit) => shownTo(visit, describe().filters ?? []);
    const viewsFor = (visit: Visit) => ({ path, filters: filtersFor(visit) });
    page(path, (visit) =>
      showList(routes, visit, describe(), hasViews ? viewsAbove(database, visit, viewsFor(visit)) : null),
    );
    if (hasViews) action(`${path}/views`, (visit, fields) => saveFilters(database, visit, fields, viewsFor(visit)));
    if (columns === undefined) return;
    download(`${path}.csv`, (visit, reply) =>
      downloadList(visit, reply, source, { filters: filtersFor(visit), columns }),
    );
  };
}

async function showList<T extends object>(
  { database, totalsWaitMs }: PageRoutes,
  visit: Visit,
  list: List<T>,
  views: Promise<ComponentChildren> | null,
): Promise<View> {
  const { at, title, source } = list;
  const given = shownTo(visit, list.filters ?? []);
  const rows = readList(visit, source, given);
  const totals = periodFaultText(visit, given) === null ? list.summary?.(visit, filterQuery(visit, given)) : undefined;
  const [filters, reading, summary, saved] = await Promise.all([
    withChoices(database, visit, given),
    rows,
    totals === undefined ? null : totalsInTime(totals, rows, totalsWaitMs),
    views,
  ]);
  const columns = await list.columns(visit, reading.rows);
  const props = { visit, list, columns, filters, reading, summary };
  const body = <ListPage {...props} views={saved} />;
  return 'tab' in at ? settingsView(visit, { tab: at.tab, title, body }) : { title, section: at.section, body };
}

interface ListProps<T extends object> {
  visit: Visit;
  list: List<T>;
  columns: readonly Column<T>[];
  filters: readonly Filter[];
  reading: ListReading<T>;
  summary: ComponentChildren;
  views: ComponentChildren;
}

function ListPage<T extends object>({ views, ...props }: ListProps<T>) {
  const { visit, list, filters, reading } = props;
  const isLocked = reading.refusal !== null;
  return (
    <>
      <PageHead title={list.title} lead={list.lead}>
        <div class="actions">
          <AddButton visit={visit} add={list.add} />
          {list.csv !== undefined && !isLocked && (
            <a id="export" class="button" href={`${visit.path}.csv${searchOf(activeFilters(visit, filters))}`} download>
              <Icon name="download" /> {listWords().exportCsv}
            </a>
          )}
        </div>
      </PageHead>
      {filters.length > 0 && !isLocked && <Filters visit={visit} filters={filters} />}
      {!isLocked && views}
      <Results {...props} />
    </>
  );
}

function AddButton({ visit, add }: { visit: Visit; add: List<object>['add'] }) {
  if (add === undefined || !maySend(visit, add.path)) return null;
  return (
    <a class="button first" href={visit.base + add.path}>
      {add.text}
    </a>
  );
}

function Results<T extends object>({ visit, list, columns, filters, reading, summary }: Omit<ListProps<T>, 'views'>) {
  const { rows, hasMore, fault, refusal } = reading;
  return (
    <div id="results" data-count={rows.length}>
      {fault !== null && <Notice tone="bad" title={fault} />}
      {refusal === null ? (
        <>
          <PrintedFilters visit={visit} filters={filters} />
          {fault === null && <ShownDays visit={visit} filters={filters} />}
          {rows.length > 0 && summary}
          {fault === null && <Rows visit={visit} list={list} columns={columns} filters={filters} reading={reading} />}
        </>
      ) : (
        <Notice tone="wait" title={refusal} />
      )}
      <Pager visit={visit} filters={filters} last={hasMore ? rows.at(-1) : undefined} idOf={list.source.idOf} />
    </div>
  );
}

/** Names the listed times or days and their time zone, because a shared link keeps the zone of its sender. */
function ShownDays({ visit, filters }: { visit: Visit; filters: readonly Filter[] }) {
  if (!filters.some(({ kind }) => kind === 'day')) return null;
  const days = daysOf(visit.query);
  const interval = intervalOf(visit.query);
  const shown = [
    ...(interval === null ? [] : [intervalRangeText(interval)]),
    ...(days === null ? [] : [daysText(days.from, days.to, days.zone.replaceAll('_', ' '))]),
  ];
  return shown.length === 0 ? null : <p class="quiet small">{shown.join('; ')}</p>;
}

function daysText(from: string, to: string, zone: string): string {
  const w = listWords();
  if (from === '') return w.until(to, zone);
  if (to === '') return w.fromDay(from, zone);
  return from === to ? w.onDay(from, zone) : w.fromTo(from, to, zone);
}

type RowsProps<T extends object> = Omit<ListProps<T>, 'summary' | 'views'>;

function Rows<T extends object>({ visit, list, columns, filters, reading: { rows } }: RowsProps<T>) {
  const { label, href, add, empty } = list;
  if (rows.length > 0) {
    const link = href && ((row: T) => visit.base + href(row));
    return <Table rows={rows} label={label} columns={columns} isFixed {...(link && { href: link })} />;
  }
  if (Object.keys(activeFilters(visit, filters)).length > 0) return <NoMatch visit={visit} />;
  return <EmptyState {...(add && { action: <AddButton visit={visit} add={add} /> })} {...empty(visit)} />;
}

function NoMatch({ visit }: { visit: Visit }) {
  const w = listWords();
  return (
    <div class="empty">
      <span class="sign">
        <Icon name="search" size={24} />
      </span>
      <h2>{w.noResults}</h2>
      <p>{w.noMatch}</p>
      <div class="actions">
        <a class="button" href={visit.path}>
          {w.clearFilters}
        </a>
      </div>
    </div>
  );
}

const MOST_PLACES = 20;

interface PagerProps<T> {
  visit: Visit;
  filters: readonly Filter[];
  /** Undefined on the last page. */
  last: T | undefined;
  idOf: (row: T) => string;
}

/** REST only pages towards older rows. `trail` holds the previous cursors for the way back. */
function Pager<T>({ visit, filters, last, idOf }: PagerProps<T>) {
  const { starting_after: at, trail = '' } = visit.query;
  const places = trail.split(',').filter((place) => /^[a-z0-9_]{1,100}$/.test(place));
  const active = activeFilters(visit, filters);
  const newer = { ...active, starting_after: places.at(-1), trail: places.slice(0, -1).join(',') };
  const older = {
    ...active,
    starting_after: last && idOf(last),
    trail: at === undefined ? '' : [...places, at].slice(-MOST_PLACES).join(','),
  };
  if (at === undefined && last === undefined) return null;
  const w = listWords();
  return (
    <nav
      class="pager"
      aria-label={w.pages}
      hx-boost="true"
      hx-target="#results"
      hx-select="#results"
      hx-swap="outerHTML show:window:top"
      hx-indicator="#results"
    >
      {at !== undefined && (
        <a class="button" href={visit.path + searchOf(newer)} rel="prev">
          {w.newer}
        </a>
      )}
      {last !== undefined && (
        <a class="button" href={visit.path + searchOf(older)} rel="next">
          {w.older}
        </a>
      )}
    </nav>
  );
}
