/** To which merchants a user is limited: the fields of the forms, and what they say. */
import type { Sql } from '../../../db/pool.ts';
import { type MerchantId, parseId } from '../../../domain/ids.ts';
import type { MerchantLimit, User } from '../../../domain/user.ts';
import { ChoiceField, type Choices, type FormState, ticked, tickedOf } from '../form/fields.tsx';
import { type FormMerchants, readFormMerchants, SeveralMerchants } from '../form/merchants.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { FormFields } from '../page/page-routes.ts';
import { roleName } from './parts.tsx';
import { userWords } from './words/index.ts';

/** @param fields of a submitted form */
export const merchantChoices = (
  sql: Sql,
  { accountId, merchants: limit }: Pick<User, 'accountId' | 'merchants'>,
  fields: FormFields = {},
): Promise<FormMerchants> =>
  readFormMerchants(
    sql,
    { accountId, mode: null, chosen: [...(limit ?? []), ...tickedOf(fields, 'merchants')] },
    fields,
  );

export function MerchantFields({ form, merchants }: { form: FormState; merchants: FormMerchants }) {
  if (merchants.choices.length === 0 && !merchants.hasSearch) return <input type="hidden" name="access" value="all" />;
  const w = userWords().access;
  const access: Choices = [
    ['all', w.all],
    ['some', w.some],
  ];
  return (
    <>
      <ChoiceField form={form} name="access" label={w.label} hint={w.hint} choices={access} />
      <SeveralMerchants form={form} name="merchants" label={w.merchants} merchants={merchants} />
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
