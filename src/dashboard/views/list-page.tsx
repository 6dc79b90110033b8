/** The page of a list: filters in the address, a table, older and newer, export. htmx exchanges the results alone. */
import type { ComponentChildren } from 'preact';
import type { Visit } from '../visit.ts';
import { Icon } from './icons.tsx';
import { Table, type TableProps } from './table.tsx';

export type Filter = {
  /** Of the parameter, in the address and in REST. */
  name: string;
  label: string;
} & (
  | { kind: 'choice'; choices: readonly (readonly [value: string, label: string])[] }
  | { kind: 'text'; hint?: string }
);

export interface ListPageProps<T> extends TableProps<T> {
  visit: Visit;
  title: string;
  lead?: ComponentChildren;
  filters?: readonly Filter[];
  hasMore: boolean;
  /** What `starting_after` takes. */
  idOf: (row: T) => string;
  /** Whether there is a file of it at `<path>.csv`. */
  hasCsv?: boolean;
  actions?: ComponentChildren;
  notice?: ComponentChildren;
  /** Where nothing matches the filters this is not shown, but that. */
  empty: ComponentChildren;
}

/** The filters of the address that REST is asked with, and its place in the list. */
export function listQuery({ query }: Visit, filters: readonly Filter[]): Record<string, string | undefined> {
  const given = filters.map(({ name }) => [name, query[name]?.trim()] as const);
  return { ...Object.fromEntries(given), starting_after: query.starting_after };
}

export function ListPage<T>(props: ListPageProps<T>) {
  const { visit, title, lead, filters = [], actions, notice, hasCsv = false } = props;
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
          {hasCsv && (
            <a class="button" href={`${visit.path}.csv${searchOf(activeFilters(visit, filters))}`} download>
              <Icon name="download" /> Export CSV
            </a>
          )}
        </div>
      </div>
      {filters.length > 0 && <Filters visit={visit} filters={filters} />}
      <Results {...props} filters={filters} />
    </>
  );
}

function Results<T>({ visit, filters = [], rows, hasMore, idOf, empty, ...table }: ListPageProps<T>) {
  const isFiltered = Object.keys(activeFilters(visit, filters)).length > 0;
  return (
    <div id="results" data-count={rows.length}>
      {rows.length > 0 ? <Table rows={rows} {...table} /> : isFiltered ? <NoMatch visit={visit} /> : empty}
      <Pager visit={visit} filters={filters} last={hasMore ? rows.at(-1) : undefined} idOf={idOf} />
    </div>
  );
}

function NoMatch({ visit }: { visit: Visit }) {
  return (
    <div class="empty">
      <span class="sign">
        <Icon name="search" size={24} />
      </span>
      <h2>Nothing matches</h2>
      <p>No entry of this list has all that the filters ask for.</p>
      <div class="actions">
        <a class="button" href={visit.path}>
          Clear the filters
        </a>
      </div>
    </div>
  );
}

function activeFilters({ query }: Visit, filters: readonly Filter[]): Record<string, string> {
  return Object.fromEntries(
    filters.flatMap(({ name }) => (query[name]?.trim() ? [[name, query[name].trim()] as const] : [])),
  );
}

function Filters({ visit, filters }: { visit: Visit; filters: readonly Filter[] }) {
  const isActive = Object.keys(activeFilters(visit, filters)).length > 0;
  return (
    <form
      class="filters"
      action={visit.path}
      method="get"
      aria-label="Filters"
      hx-get={visit.path}
      hx-trigger="change, submit"
      hx-target="#results"
      hx-select="#results"
      hx-swap="outerHTML"
      hx-push-url="true"
      hx-indicator="#results"
      hx-sync="this:replace"
    >
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} value={visit.query[filter.name] ?? ''} />
      ))}
      <div class="actions">
        <button type="submit">Filter</button>
        {isActive && <a href={visit.path}>Clear</a>}
      </div>
    </form>
  );
}

function FilterField({ filter, value }: { filter: Filter; value: string }) {
  const id = `filter-${filter.name}`;
  return (
    <div class="field">
      <label for={id}>{filter.label}</label>
      {filter.kind === 'choice' ? (
        <select id={id} name={filter.name}>
          <option value="">Any</option>
          {filter.choices.map(([choice, label]) => (
            <option key={choice} value={choice} selected={choice === value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={filter.name}
          value={value}
          placeholder={filter.hint}
          maxlength={100}
          autocomplete="off"
          spellcheck={false}
        />
      )}
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

/** Lists go one way, towards what is older: `trail` holds the places that led here, so that there is a way back. */
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

/** `?a=b`, without what is undefined or empty; empty where there is nothing. */
function searchOf(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
