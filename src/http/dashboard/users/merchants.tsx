/** To which merchants a user is limited: the fields of the forms, and what they say. */
import { listMerchantChoices } from '../../../db/merchants/merchant-records.ts';
import type { Sql } from '../../../db/pool.ts';
import { type MerchantId, parseId } from '../../../domain/ids.ts';
import type { MerchantLimit, User } from '../../../domain/user.ts';
import {
  ChoiceField,
  type Choices,
  type FormState,
  SeveralField,
  TextField,
  ticked,
  tickedOf,
} from '../form/fields.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { FormFields } from '../page/page-routes.ts';
import { roleName } from './parts.tsx';
import { userWords } from './words/index.ts';

/** The merchants of a form: those that the user or the form has, and the newest, or those that the form searches. */
export interface FormMerchants {
  choices: Choices;
  /** Not all merchants of the account fit into the form, so it has a search. */
  hasSearch: boolean;
  /** What the search found, in words. Null without a search. */
  found: string | null;
}

const SEARCH = 'find_merchants';
/** The button of the search. Without it, the form changes the user. */
const SEARCHES = 'search_merchants';

/** Whether the form only searches merchants. */
export const isMerchantSearch = (fields: FormFields): boolean => fields[SEARCHES] !== undefined;

/** @param fields of a submitted form */
export async function merchantChoices(
  sql: Sql,
  { accountId, merchants: limit }: Pick<User, 'accountId' | 'merchants'>,
  fields: FormFields = {},
): Promise<FormMerchants> {
  const search = (fields[SEARCH] ?? '').trim();
  const chosen = [...(limit ?? []), ...tickedOf(fields, 'merchants')];
  const { merchants, hasMore } = await listMerchantChoices(sql, accountId, chosen, search);
  const w = userWords().access;
  const isSearched = search !== '';
  const others = merchants.filter(({ isChosen }) => !isChosen).length;
  return {
    choices: merchants.map(({ id, businessName, mode }) => [
      id,
      mode === 'test' ? w.testMerchant(businessName) : businessName,
    ]),
    hasSearch: hasMore || isSearched,
    found: isSearched ? (hasMore ? w.foundMany : w.found(others)) : null,
  };
}

export function MerchantFields({ form, merchants }: { form: FormState; merchants: FormMerchants }) {
  const { choices, hasSearch, found } = merchants;
  if (choices.length === 0 && !hasSearch) return <input type="hidden" name="access" value="all" />;
  const w = userWords().access;
  const access: Choices = [
    ['all', w.all],
    ['some', w.some],
  ];
  return (
    <>
      <ChoiceField form={form} name="access" label={w.label} hint={w.hint} choices={access} />
      {hasSearch && (
        <>
          <TextField form={form} name={SEARCH} label={w.search} hint={w.searchHint} maxlength={100} />
          <div class="actions">
            <button type="submit" name={SEARCHES} value="on" formnovalidate>
              {w.searchSubmit}
            </button>
            {found !== null && <span role="status">{found}</span>}
          </div>
        </>
      )}
      <SeveralField form={form} name="merchants" label={w.merchants} choices={choices} />
    </>
  );
}

export const merchantFormOf = (limit: MerchantLimit): FormFields => ({
  access: limit === null ? 'all' : 'some',
  ...ticked('merchants', limit ?? []),
});

/** @throws DashboardFault if the form does not say which merchants: a lost field must not lift a limit */
export function merchantsIn(fields: FormFields): MerchantLimit {
  if (fields.access === 'all') return null;
  if (fields.access !== 'some') throw new DashboardFault('refused');
  return tickedOf(fields, 'merchants').map(merchantIdOf);
}

function merchantIdOf(text: string): MerchantId {
  const id = parseId('Merchant', text);
  if (id === null) throw new DashboardFault('refused');
  return id;
}

/** Role and limit of a user, in a few words. */
export const accessText = ({ role, merchants }: Pick<User, 'role' | 'merchants'>): string =>
  merchants === null ? roleName(role) : userWords().limitedRole(roleName(role), merchants.length);
