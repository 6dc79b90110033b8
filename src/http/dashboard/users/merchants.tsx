/** To which merchants a user is limited: the fields of the forms, and what they say. */
import { listMerchantChoices } from '../../../db/merchants/merchant-records.ts';
import type { Sql } from '../../../db/pool.ts';
import { type MerchantId, parseId } from '../../../domain/ids.ts';
import type { MerchantLimit, User } from '../../../domain/user.ts';
import { ChoiceField, type Choices, type FormState, SeveralField, ticked, tickedOf } from '../form/fields.tsx';
import type { FormFields } from '../page/page-routes.ts';
import { ROLE_NAMES } from './parts.tsx';

const ACCESS: Choices = [
  ['all', 'All merchants, and pages about the account'],
  ['some', 'Only the merchants selected here'],
];

/** The newest of both modes, and those of the limit. Empty without merchants. */
export async function merchantChoices(
  sql: Sql,
  { accountId, merchants }: Pick<User, 'accountId' | 'merchants'>,
): Promise<Choices> {
  const all = await listMerchantChoices(sql, accountId, merchants ?? []);
  // The name is last: it may contain characters that turn the text after it.
  return all.map(({ id, businessName, mode }) => [id, mode === 'test' ? `Test mode: ${businessName}` : businessName]);
}

export function MerchantFields({ form, choices }: { form: FormState; choices: Choices }) {
  if (choices.length === 0) return null;
  return (
    <>
      <ChoiceField
        form={form}
        name="access"
        label="Access"
        hint="Only the roles Support and Viewer can be limited to merchants."
        choices={ACCESS}
      />
      <SeveralField form={form} name="merchants" label="Merchants" choices={choices} />
    </>
  );
}

export const merchantFormOf = (limit: MerchantLimit): FormFields => ({
  access: limit === null ? 'all' : 'some',
  ...ticked('merchants', limit ?? []),
});

/** No limit if the form has no fields for it: the account has no merchants. */
export function merchantsIn(fields: FormFields): MerchantLimit {
  if (fields.access !== 'some') return null;
  return tickedOf(fields, 'merchants')
    .map((id) => parseId('Merchant', id))
    .filter((id): id is MerchantId => id !== null);
}

/** Role and limit of a user, in a few words. */
export function accessText({ role, merchants }: Pick<User, 'role' | 'merchants'>): string {
  if (merchants === null) return ROLE_NAMES[role];
  const count = merchants.length === 1 ? '1 merchant' : `${merchants.length} merchants`;
  return `${ROLE_NAMES[role]}, ${count}`;
}
