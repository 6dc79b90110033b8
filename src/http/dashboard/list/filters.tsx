/** The filters above a list, kept in the URL. htmx replaces only the results. */
import type { WebhookEndpointResource } from '../../api/routes/webhook-endpoint-shapes.ts';
import { endpointName } from '../page/links.tsx';
import type { PageRoutes } from '../page/page-routes.ts';
import { TIME_ZONE_NAMES } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { intervalRangeText } from '../words/formats.ts';
import { language } from '../words/language.ts';
import { timeZone } from '../words/time-zone.ts';
import { FIND_MERCHANT, type MerchantPicker, MerchantSearchField, readMerchantPicker } from './merchant-picker.tsx';
import { daysOf, intervalOf, periodFaults, SINCE } from './period.ts';
import { listWords } from './words/index.ts';

export type Filter = {
  /** The name of the parameter in the URL and, except for those of {@link periodFilters}, in REST. */
  name: string;
  label: string;
} & (
  | { kind: 'choice'; choices: readonly (readonly [value: string, label: string])[]; picker?: MerchantPicker }
  | { kind: 'text'; hint?: string }
  | { kind: 'since' }
  /** A day without a time zone. */
  | { kind: 'date' }
  | { kind: 'day' | 'zone' }
  /** The merchants of the account, by name. See {@link withChoices}. */
  | { kind: 'merchant' }
  /** The webhook endpoints of the account and mode, by URL. */
  | { kind: 'endpoint' }
);

const ZONE_FIELD = 'filter-zone';

/** The filters, with the account's merchants and webhook endpoints as choices of those that are for them. */
export async function withChoices(
  database: PageRoutes['database'],
  visit: Visit,
  filters: readonly Filter[],
): Promise<readonly Filter[]> {
  return Promise.all(
    shownTo(visit, filters).map(async (filter): Promise<Filter> => {
      if (filter.kind === 'merchant') {
        const picker = await readMerchantPicker(database, visit);
        return { ...filter, kind: 'choice', choices: picker.choices, picker };
      }
      if (filter.kind === 'endpoint') return { ...filter, kind: 'choice', choices: await endpointChoices(visit) };
      return filter;
    }),
  );
}

/** Without those about the account as a whole, if the user is limited to merchants: endpoints, and deliveries to them. */
export function shownTo({ user }: Pick<Visit, 'user'>, filters: readonly Filter[]): readonly Filter[] {
  return user.merchants === null
    ? filters
    : filters.filter(({ kind, name }) => kind !== 'endpoint' && name !== 'delivery');
}

async function endpointChoices(visit: Visit) {
  const asked = { path: '/v1/webhook_endpoints', query: { limit: '100' } };
  const { webhook_endpoints: all } = await visit.ask<{ webhook_endpoints: WebhookEndpointResource[] }>(asked);
  return all.map(({ webhook_endpoint_id, url }) => [webhook_endpoint_id, endpointName(url)] as const);
}

/** When the items were created. The days belong to the time zone, which the form sends with them. See period.ts. */
export function periodFilters(): readonly Filter[] {
  const w = listWords();
  return [
    { kind: 'since', name: 'since', label: w.created },
    { kind: 'day', name: 'from', label: w.from },
    { kind: 'day', name: 'to', label: w.to },
    { kind: 'zone', name: 'zone', label: w.timeZone },
  ];
}

export const isOfPeriod = ({ kind }: Filter): boolean => kind === 'since' || kind === 'day' || kind === 'zone';

/** What is wrong with the days in the URL, in the language of the request. */
function periodFaultTexts(query: Visit['query']): Readonly<Record<string, string>> {
  const texts = listWords().dayFaults;
  return Object.fromEntries(Object.entries(periodFaults(query)).map(([name, fault]) => [name, texts[fault]]));
}

/** What is wrong with the days of a list that is filtered by days, as one text; otherwise null. */
export function periodFaultText({ query }: Pick<Visit, 'query'>, filters: readonly Filter[]): string | null {
  const texts = periodFaultTexts(query);
  const wrong = filters.flatMap(({ kind, name, label }) => {
    const text = kind === 'day' ? texts[name] : undefined;
    return text === undefined ? [] : [listWords().dayFaults.ofField(label, text)];
  });
  return wrong.length === 0 ? null : wrong.join(' ');
}

/** The filters set in the URL. A time zone without days is none. */
export function activeFilters({ query }: Pick<Visit, 'query'>, filters: readonly Filter[]): Record<string, string> {
  const given = daysOf(query) === null ? filters.filter(({ kind }) => kind !== 'zone') : filters;
  return Object.fromEntries(
    given.flatMap(({ name }) => (query[name]?.trim() ? [[name, query[name].trim()] as const] : [])),
  );
}

/** Shown without opening "More filters". Days are not: the period beside them has the usual ones. */
function firstOf(filters: readonly Filter[]): { always: readonly Filter[]; wide: Filter | undefined } {
  const isSince = ({ kind }: Filter) => Number(kind === 'since');
  const all = filters.filter(({ kind }) => kind !== 'day' && kind !== 'zone');
  const [always, others] = [all.slice(0, 2), all.slice(2)];
  return {
    always: always.toSorted((one, other) => isSince(one) - isSince(other)),
    wide: others.find(({ name }) => name === 'merchant_id') ?? others[0],
  };
}

export function Filters({ visit, filters }: { visit: Visit; filters: readonly Filter[] }) {
  const w = listWords();
  const isActive = Object.keys(activeFilters(visit, filters)).length > 0;
  const { always, wide } = firstOf(filters);
  const others = filters.filter((filter) => !always.includes(filter) && filter !== wide);
  return (
    <form
      class="filters"
      action={visit.path}
      method="get"
      aria-label={w.filters}
      hx-get={visit.path}
      hx-trigger="change, submit"
      hx-target="#results"
      hx-select="#results"
      hx-select-oob={refreshed(filters)}
      hx-swap="outerHTML"
      hx-push-url="true"
      hx-indicator="#results"
      hx-sync="this:replace"
    >
      <FilterFields visit={visit} filters={always} />
      {wide !== undefined && <FilterField filter={wide} value={visit.query[wide.name] ?? ''} isWide />}
      <MoreFilters visit={visit} filters={others} />
      <div class="actions">
        <button type="submit">{w.filter}</button>
        <span id="clear-filters">{isActive && <a href={visit.path}>{w.clear}</a>}</span>
      </div>
    </form>
  );
}

/** What is replaced beside the results. The choices of merchants only change with a search. */
function refreshed(filters: readonly Filter[]): string {
  const parts = ['#export', '#clear-filters', '#more-filters', '#views', ...TIME_ZONE_NAMES, `#${ZONE_FIELD}`];
  const days = filters.filter(({ kind }) => kind === 'day').map(({ name }) => `#${dayFaultId(name)}`);
  const searched = filters.find((filter) => filter.kind === 'choice' && filter.picker && filter.picker.search !== null);
  return [...parts, ...days, ...(searched ? [`#${FIND_MERCHANT}-found`, `#filter-${searched.name}`] : [])].join(', ');
}

/** Attributes of a form whose choices change the whole page: it shows the new one at once, and keeps the focus. */
export const choosesPage = (path: string) => ({
  'hx-get': path,
  'hx-trigger': 'change, submit',
  'hx-target': '#main',
  'hx-select': '#main',
  'hx-select-oob': TIME_ZONE_NAMES.join(', '),
  'hx-swap': 'outerHTML',
  'hx-push-url': 'true',
  'hx-sync': 'this:replace',
});

function FilterFields({ visit, filters }: { visit: Visit; filters: readonly Filter[] }) {
  const faults = periodFaultTexts(visit.query);
  return (
    <>
      {filters.map((filter) =>
        filter.kind === 'zone' ? (
          <ZoneField key={filter.name} visit={visit} name={filter.name} />
        ) : (
          <FilterField
            key={filter.name}
            filter={filter}
            value={visit.query[filter.name] ?? ''}
            fault={faults[filter.name]}
          />
        ),
      )}
    </>
  );
}

/** The zone of the days in the URL. Without any, the zone that times are shown in. It changes with the merchant. */
const ZoneField = ({ visit, name }: { visit: Visit; name: string }) => (
  <input id={ZONE_FIELD} type="hidden" name={name} value={daysOf(visit.query)?.zone ?? timeZone()} />
);

/** Open if one of them is active. */
function MoreFilters({ visit, filters }: { visit: Visit; filters: readonly Filter[] }) {
  if (filters.length === 0) return null;
  const shown = filters.filter(({ kind }) => kind !== 'zone');
  const active = Object.keys(activeFilters(visit, shown)).length;
  const w = listWords();
  return (
    <details class="more-filters" open={active > 0}>
      <summary>
        <span id="more-filters">{active > 0 ? w.moreFiltersSet(active) : w.moreFilters}</span>
      </summary>
      <div class="fields">
        <FilterFields visit={visit} filters={filters} />
      </div>
    </details>
  );
}

interface FilterFieldProps {
  filter: Filter;
  value: string;
  /** What is wrong with a day. */
  fault?: string | undefined;
  /** On phones, it is shown with "More filters", and as long as it is set (forms.css). */
  isWide?: true;
}

function FilterField(props: FilterFieldProps) {
  const { filter } = props;
  if (filter.kind !== 'choice' || filter.picker === undefined) return <OneField {...props} />;
  return (
    <>
      <MerchantSearchField picker={filter.picker} />
      <OneField {...props} />
    </>
  );
}

/** Always on the page, so that it can be replaced while the day is being typed. */
export const DayFault = ({ id, text }: { id: string; text: string | undefined }) => (
  <p class="fault" id={id}>
    {text}
  </p>
);

export const dayFaultId = (name: string) => `filter-${name}-fault`;

/** Attributes of a field for a day. Others are refused. */
export const DAY_INPUT = { type: 'date', min: '2000-01-01', max: '2099-12-31' } as const;

function OneField({ filter, value, fault, isWide }: FilterFieldProps) {
  const id = `filter-${filter.name}`;
  const w = listWords();
  return (
    <div class={isWide ? 'field wide' : 'field'}>
      <label for={id}>{filter.label}</label>
      {filter.kind === 'choice' || filter.kind === 'since' ? (
        <select id={id} name={filter.name}>
          <option value="">{filter.kind === 'since' ? w.anyTime : w.any}</option>
          <OtherChoice filter={filter} value={value} />
          {(filter.kind === 'since' ? SINCE.map((each) => [each, w.since[each]] as const) : filter.choices).map(
            ([choice, label]) => (
              <option key={choice} value={choice} selected={choice === value} lang={languageOf(choice, label)}>
                {label}
              </option>
            ),
          )}
        </select>
      ) : (
        <input
          id={id}
          name={filter.name}
          value={value}
          {...(filter.kind === 'day' || filter.kind === 'date' ? DAY_INPUT : { maxlength: 100 })}
          aria-describedby={filter.kind === 'day' ? dayFaultId(filter.name) : undefined}
          placeholder={filter.kind === 'text' ? filter.hint : undefined}
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {filter.kind === 'day' && <DayFault id={dayFaultId(filter.name)} text={fault} />}
    </div>
  );
}

/** What a printed list is filtered by, because the form is not printed. Days are named above every list. */
export function PrintedFilters({ visit, filters }: { visit: Visit; filters: readonly Filter[] }) {
  const active = activeFilters(visit, filters);
  const shown = filters.filter(({ kind, name }) => kind !== 'day' && kind !== 'zone' && active[name] !== undefined);
  if (shown.length === 0) return null;
  return (
    <dl class="printed">
      {shown.map((filter) => (
        <div key={filter.name}>
          <dt>{filter.label}</dt>
          <dd>{valueText(filter, active[filter.name] ?? '')}</dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(filter: Filter, value: string): string {
  if (filter.kind === 'since') {
    const interval = intervalOf({ since: value });
    if (interval !== null) return intervalRangeText(interval);
    return SINCE.filter((each) => each === value).map((each) => listWords().since[each])[0] ?? value;
  }
  return (filter.kind === 'choice' && filter.choices.find(([choice]) => choice === value)?.[1]) || value;
}

/** Codes of the API are English. */
const languageOf = (value: string, label: string) => (value === label && language() !== 'en' ? 'en' : undefined);

/** A value of the URL that is none of the choices, but filters the list. */
function OtherChoice({ filter, value }: { filter: Filter; value: string }) {
  const interval = filter.kind === 'since' ? intervalOf({ since: value }) : null;
  if (interval !== null) {
    return (
      <option value={value} selected>
        {intervalRangeText(interval)}
      </option>
    );
  }
  const isOther = filter.kind === 'choice' && filter.picker === undefined && value !== '';
  if (!isOther || filter.choices.some(([choice]) => choice === value)) return null;
  return (
    <option value={value} selected>
      {value}
    </option>
  );
}

/** `?a=b` without undefined and empty values; empty if none are left. */
export function searchOf(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Filters of a list of what belongs to orders. @param own of the list */
export function orderFilters(...own: readonly Filter[]): readonly Filter[] {
  const w = listWords();
  return [
    ...periodFilters(),
    ...own,
    { kind: 'merchant', name: 'merchant_id', label: w.merchant },
    { kind: 'text', name: 'caller_phone', label: w.caller, hint: w.callerHint },
    { kind: 'text', name: 'order_id', label: w.order, hint: w.orderHint },
    { kind: 'text', name: 'last_four', label: w.lastFour, hint: '4242' },
    { kind: 'text', name: 'platform_call_id', label: w.platformCall, hint: w.platformCallHint },
  ];
}

/** Pending charges and refunds that need manual settlement. */
export function toSettleFilter(): Filter {
  const w = listWords();
  return { kind: 'choice', name: 'needs_settling', label: w.settlement, choices: [['true', w.needsSettling]] };
}
