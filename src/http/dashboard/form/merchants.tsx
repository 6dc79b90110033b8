/** Several merchants of a form: those that are selected, and the newest, or those that the form searches. */
import { listMerchantChoices } from '../../../db/merchants/merchant-records.ts';
import type { Sql } from '../../../db/pool.ts';
import { hasCardData } from '../../../domain/card-data.ts';
import { type AccountId, parseId } from '../../../domain/ids.ts';
import type { Mode } from '../../../domain/session.ts';
import { merchantLabels } from '../list/merchant-picker.tsx';
import { cardDataFault } from '../page/faults.ts';
import type { FormFields } from '../page/page-routes.ts';
import { type Choices, type FormState, SeveralField, TextField } from './fields.tsx';
import { formWords } from './words/index.ts';

export interface FormMerchants {
  choices: Choices;
  /** Not all merchants fit into the form, so it has a search. */
  hasSearch: boolean;
  /** What the search found, in words. Null without a search. */
  found: string | null;
}

const MOST_CHOICES = 100;
const SEARCH = 'find_merchants';
/** The search's button. A form that is sent by another button is carried out. */
export const SEARCHES_MERCHANTS = 'search_merchants';

/** Whether the form only searches merchants. */
export const isMerchantSearch = (fields: FormFields): boolean => fields[SEARCHES_MERCHANTS] !== undefined;

interface Wanted {
  accountId: AccountId;
  /** Null for the merchants of both, with their mode. */
  mode: Mode | null;
  /** The IDs of the selected ones. */
  chosen: readonly string[];
}

/**
 * @param fields of a submitted form
 * @throws DashboardFault if the search contains card data
 */
export async function readFormMerchants(
  sql: Sql,
  { accountId, mode, chosen }: Wanted,
  fields: FormFields = {},
): Promise<FormMerchants> {
  const text = (fields[SEARCH] ?? '').replaceAll('\0', '').trim();
  if (hasCardData(text)) throw cardDataFault();
  const ids = chosen.filter((id) => parseId('Merchant', id) !== null);
  const searched = { mode, chosen: ids, text, most: MOST_CHOICES };
  const { merchants, hasMore } = await listMerchantChoices(sql, accountId, searched);
  const w = formWords().merchants;
  const labels = new Map(merchantLabels(merchants));
  const isSearched = text !== '';
  const others = merchants.filter(({ isChosen }) => !isChosen).length;
  return {
    choices: merchants.map(({ id, mode: own, businessName }) => {
      const label = labels.get(id) ?? businessName;
      return [id, mode === null && own === 'test' ? w.inTest(label) : label];
    }),
    hasSearch: hasMore || isSearched,
    found: isSearched ? (hasMore ? w.foundMany : w.found(others)) : null,
  };
}

interface SeveralMerchantsProps {
  form: FormState;
  name: string;
  label: string;
  hint?: string;
  merchants: FormMerchants;
}

/** Checkboxes. Of an account with many merchants, also a search. */
export function SeveralMerchants({ form, name, label, hint, merchants }: SeveralMerchantsProps) {
  const { choices, hasSearch, found } = merchants;
  const w = formWords().merchants;
  return (
    <>
      {hasSearch && (
        <>
          <TextField form={form} name={SEARCH} label={w.search} hint={w.searchHint} maxlength={100} />
          <div class="actions">
            <button type="submit" name={SEARCHES_MERCHANTS} value="on" formnovalidate>
              {w.submit}
            </button>
            {found !== null && <span role="status">{found}</span>}
          </div>
        </>
      )}
      <SeveralField form={form} name={name} label={label} choices={choices} {...(hint !== undefined && { hint })} />
    </>
  );
}
