/** The page of a list: filters in the URL, table, pagination, export. htmx replaces only the results. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../page/icons.tsx';
import { Notice } from '../page/parts.tsx';
import { Table, type TableProps } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { activeFilters, type Filter, Filters, searchOf } from './filters.tsx';
import type { ListReading, ListSource } from './list-reading.ts';

export interface ListPageProps<T> extends Omit<TableProps<T>, 'rows'> {
  visit: Visit;
  title: string;
  lead?: ComponentChildren;
  filters?: readonly Filter[];
  reading: ListReading<T>;
  source: Pick<ListSource<T>, 'idOf'>;
  /** Whether `<path>.csv` exists. */
  hasCsv?: boolean;
  actions?: ComponentChildren;
  notice?: ComponentChildren;
  /** Shown if the list is empty without filters. */
  empty: ComponentChildren;
}

export function ListPage<T>(props: ListPageProps<T>) {
  const { visit, title, lead, filters = [], actions, notice, hasCsv = false } = props;
  const isLocked = props.reading.refusal !== null;
  return (
    <>
      {notice}
      <div class="head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        <div class="actions">
          {actions}
          {hasCsv && !isLocked && (
            <a id="export" class="button" href={`${visit.path}.csv${searchOf(activeFilters(visit, filters))}`} download>
              <Icon name="download" /> Export CSV
            </a>
          )}
        </div>
      </div>
      {filters.length > 0 && !isLocked && <Filters visit={visit} filters={filters} />}
      <Results {...props} filters={filters} />
    </>
  );
}

function Results<T>({ visit, filters = [], reading, source, empty, ...table }: ListPageProps<T>) {
  const { rows, hasMore, fault, refusal } = reading;
  const isFiltered = Object.keys(activeFilters(visit, filters)).length > 0;
  return (
    <div id="results" data-count={rows.length}>
      {fault !== null && <Notice tone="bad" title={fault} />}
      {refusal !== null ? (
        <Notice tone="wait" title={refusal} />
      ) : rows.length > 0 ? (
        <Table rows={rows} {...table} />
      ) : isFiltered ? (
        <NoMatch visit={visit} />
      ) : (
        empty
      )}
      <Pager visit={visit} filters={filters} last={hasMore ? rows.at(-1) : undefined} idOf={source.idOf} />
    </div>
  );
}

function NoMatch({ visit }: { visit: Visit }) {
  return (
    <div class="empty">
      <span class="sign">
        <Icon name="search" size={24} />
      </span>
      <h2>No results</h2>
      <p>No results match these filters.</p>
      <div class="actions">
        <a class="button" href={visit.path}>
          Clear filters
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
  const kept = activeFilters(visit, filters);
  const newer = { ...kept, starting_after: places.at(-1), trail: places.slice(0, -1).join(',') };
  const older = {
    ...kept,
    starting_after: last && idOf(last),
    trail: at === undefined ? '' : [...places, at].slice(-MOST_PLACES).join(','),
  };
  if (at === undefined && last === undefined) return null;
  return (
    <nav
      class="pager"
      aria-label="Pages"
      hx-boost="true"
      hx-target="#results"
      hx-select="#results"
      hx-swap="outerHTML show:window:top"
      hx-indicator="#results"
    >
      {at !== undefined && (
        <a class="button" href={visit.path + searchOf(newer)} rel="prev">
          Newer
        </a>
      )}
      {last !== undefined && (
        <a class="button" href={visit.path + searchOf(older)} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
