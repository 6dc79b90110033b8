/**
 * The choice of a merchant, by name. It lists all merchants of an account; of larger accounts the newest, or those that
 * the field above it finds. Limited users choose among their own.
 */
import { limitToMerchants } from '../../../db/merchant-limit/limit.ts';
import { listMerchantChoices, type MerchantChoice } from '../../../db/merchants/merchant-records.ts';
import { cached } from '../../../domain/cached-formats.ts';
import { hasCardData } from '../../../domain/card-data.ts';
import { parseId } from '../../../domain/ids.ts';
import type { Choices } from '../form/fields.tsx';
import { cardDataFault } from '../page/faults.ts';
import type { FormFields, PageRoutes } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { language } from '../words/language.ts';
import { listWords } from './words/index.ts';

const MOST_CHOICES = 500;
/** The parameter in the URL with the text of the search. */
export const FIND_MERCHANT = 'find_merchant';
const MAX_TEXT_LENGTH = 100;

export interface MerchantPicker {
  /** By name. */
  merchants: readonly MerchantChoice[];
  /** Their IDs and labels. */
  choices: Choices;
  /** Null unless the account has more merchants than fit, or a search is in the URL. */
  search: { text: string; found: string } | null;
}

/**
 * @param chosen the ID of the merchant in the URL, which is always among the choices
 * @param fields of a submitted form with the search; by default, it is in the URL
 * @throws DashboardFault if the search contains card data
 */
export async function readMerchantPicker(
  database: PageRoutes['database'],
  visit: Visit,
  chosen = visit.query.merchant_id ?? '',
  fields: FormFields = visit.query,
): Promise<MerchantPicker> {
  const sql = limitToMerchants(database, await visit.merchants());
  const text = (fields[FIND_MERCHANT] ?? '').replaceAll('\0', '').trim().slice(0, MAX_TEXT_LENGTH);
  if (hasCardData(text)) throw cardDataFault();
  const { merchants, found, hasMore } = await listMerchantChoices(sql, visit.user.accountId, {
    mode: visit.mode,
    chosen: parseId('Merchant', chosen) === null ? [] : [chosen],
    text,
    most: MOST_CHOICES,
  });
  const sorted = sortByName(merchants);
  return { merchants: sorted, choices: merchantLabels(sorted), search: searchOf(text, found, hasMore) };
}

function searchOf(text: string, count: number, hasMore: boolean): MerchantPicker['search'] {
  if (text === '' && !hasMore) return null;
  const w = listWords();
  return { text, found: hasMore ? w.manyMerchants(MOST_CHOICES) : w.merchantsFound(count) };
}

const collatorOf = cached((locale) => new Intl.Collator(locale, { numeric: true }));

/** In the order of the user's language. */
function sortByName(merchants: readonly MerchantChoice[]): MerchantChoice[] {
  const { compare } = collatorOf(language());
  return merchants.toSorted((a, b) => compare(a.businessName, b.businessName) || compare(a.slug, b.slug));
}

/**
 * IDs and labels. Merchants of the same name and mode also get their slug, which is unique in the mode. The name is last:
 * it may contain characters that change the direction of the text after it.
 */
export function merchantLabels(
  merchants: readonly Pick<MerchantChoice, 'id' | 'slug' | 'businessName' | 'mode'>[],
): Choices {
  const keyOf = ({ mode, businessName }: Pick<MerchantChoice, 'businessName' | 'mode'>) => `${mode} ${businessName}`;
  const counts = new Map<string, number>();
  for (const key of merchants.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return merchants.map((merchant) => {
    const { id, slug, businessName } = merchant;
    return [id, counts.get(keyOf(merchant)) === 1 ? businessName : `${slug}: ${businessName}`];
  });
}

/** The search of an account with many merchants. */
export function MerchantSearchField({ picker }: { picker: MerchantPicker }) {
  const { search } = picker;
  if (search === null) return null;
  const w = listWords();
  return (
    <div class="field wide">
      <label for={FIND_MERCHANT}>{w.findMerchant}</label>
      <input
        id={FIND_MERCHANT}
        name={FIND_MERCHANT}
        value={search.text}
        maxlength={MAX_TEXT_LENGTH}
        placeholder={w.findMerchantHint}
        aria-describedby={`${FIND_MERCHANT}-found`}
        autocomplete="off"
        spellcheck={false}
      />
      <p class="hint" id={`${FIND_MERCHANT}-found`} role="status">
        {search.found}
      </p>
    </div>
  );
}

interface MerchantPickerFieldProps {
  picker: MerchantPicker;
  chosen: string | null | undefined;
  label: string;
  /** The choice of no merchant; without it, a merchant is required. */
  all?: string;
}

/** The fields of a form with `method="get"`. */
export function MerchantPickerField({ picker, chosen, label, all }: MerchantPickerFieldProps) {
  return (
    <>
      <MerchantSearchField picker={picker} />
      <div class="field">
        <label for="merchant">{label}</label>
        <select id="merchant" name="merchant_id">
          {all !== undefined && <option value="">{all}</option>}
          {picker.choices.map(([id, name]) => (
            <option key={id} value={id} selected={id === chosen}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
