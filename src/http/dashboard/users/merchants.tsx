/** To which merchants a user is limited: the fields of the forms, and what they say. */
import { listMerchantChoices } from '../../../db/merchants/merchant-records.ts';
import type { Sql } from '../../../db/pool.ts';
import { type MerchantId, parseId } from '../../../domain/ids.ts';
import type { MerchantLimit, User } from '../../../domain/user.ts';
import { ChoiceField, type Choices, type FormState, SeveralField, ticked, tickedOf } from '../form/fields.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { FormFields } from '../page/page-routes.ts';
import { roleName } from './parts.tsx';
import { userWords } from './words/index.ts';

/** The newest of both modes, and those of the limit. Empty without merchants. */
export async function merchantChoices(
  sql: Sql,
  { accountId, merchants }: Pick<User, 'accountId' | 'merchants'>,
): Promise<Choices> {
  const all = await listMerchantChoices(sql, accountId, merchants ?? []);
  const { testMerchant } = userWords().access;
  return all.map(({ id, businessName, mode }) => [id, mode === 'test' ? testMerchant(businessName) : businessName]);
}

export function MerchantFields({ form, choices }: { form: FormState; choices: Choices }) {
  if (choices.length === 0) return <input type="hidden" name="access" value="all" />;
  const w = userWords().access;
  const access: Choices = [
    ['all', w.all],
    ['some', w.some],
  ];
  return (
    <>
      <ChoiceField form={form} name="access" label={w.label} hint={w.hint} choices={access} />
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
