/** `/v1/account`: the account of the key that asks. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AccountResource, accountResource, RETURN_TARGETS } from '../../contract/accounts.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import { findAccount } from '../../db/keys/accounts.ts';
import type { Database } from '../../db/pool.ts';
import type { Account } from '../../domain/account.ts';
import { isNumberPrefix, MAX_RETURN_TARGETS, parseReturnHost } from '../../domain/return-permission.ts';
import { changeAccount, rollHeaderSecret } from '../../keys/accounts.ts';
import { requireVault, type Vault } from '../../vault/vault.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { parseBody } from '../validation.ts';

const returnHost = z.string().transform((text, context): string => {
  const host = parseReturnHost(text);
  if (host !== null) return host;
  context.addIssue({ code: 'custom', message: 'is not a host name, *.example.com, an address or *' });
  return z.NEVER;
});

const numberPrefix = z.string().refine(isNumberPrefix, { error: 'is not + and 1 to 15 digits' });

/** At most {@link MAX_RETURN_TARGETS}, each once. */
function targets<T extends z.ZodType<string, string>>(item: T) {
  return z
    .array(item)
    .max(MAX_RETURN_TARGETS)
    .refine((items) => new Set(items).size === items.length, { error: 'has the same twice' });
}

export const ChangeAccountRequest = z
  .strictObject({
    return_hosts: field(targets(returnHost).nullable(), RETURN_TARGETS.hosts, ['*.example.com']),
    return_number_prefixes: field(targets(numberPrefix), RETURN_TARGETS.prefixes, ['+44']),
  })
  .partial();

const RETRIEVE_ACCOUNT = {
  id: 'retrieve_account',
  group: 'Account',
  summary: 'Retrieve the account',
  description: 'The account of the key that asks. The secret that signs the SIP headers is not shown.',
  response: AccountResource,
  answers: 'The account.',
  errors: [],
  example: {},
} satisfies Operation;

const CHANGE_ACCOUNT = {
  id: 'change_account',
  group: 'Account',
  role: 'owner',
  summary: 'Change the account',
  description: `Where its callers may be sent after a call: a \`return_to\` that leads elsewhere is refused by \`create_checkout\`, and when the call returns.
So whoever steals the key of an agent (scope \`agent\`) cannot have calls placed to hosts and numbers of their own.

What is not given stays as it is; a list replaces the whole list, 50 entries at most. It holds in both modes, for every call that arrives from
then on.`,
  request: ChangeAccountRequest,
  response: AccountResource,
  answers: 'The account as it is now.',
  errors: ['missing_required_fields'],
  example: { body: { return_hosts: ['*.example.com'], return_number_prefixes: ['+44'] } },
} satisfies Operation;

export const RolledHeaderSecret = z.object({
  account_id: FIELDS.account_id,
  header_signing_secret: field(
    z.string(),
    'The key of the HMAC in `X-Ringkey-Signature`, base64 of 32 bytes. Shown this once.',
    'RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=',
  ),
});

const ROLL_HEADER_SECRET = {
  id: 'roll_header_signing_secret',
  group: 'Account',
  role: 'owner',
  summary: 'Roll the secret of the SIP headers',
  description: `A new secret signs \`X-Ringkey-Signature\` from now on, in both modes, and is shown this once; the old one signs no more. A call that is on the
line now may come back signed with either: accept both for the length of a call. An account that has live keys rolls it with one of those; with a test key
that is 401 \`invalid_key\`.`,
  response: RolledHeaderSecret,
  answers: 'The new secret, this once.',
  errors: ['not_configured'],
  example: {},
} satisfies Operation;

export function accountRoutes(app: FastifyInstance, { database, vault }: AccountDeps): void {
  addOperation(app, 'GET /account', RETRIEVE_ACCOUNT, async ({ scope }) =>
    resourceOf(await findAccount(database, scope.accountId)),
  );

  addOperation(app, 'PATCH /account', CHANGE_ACCOUNT, async ({ scope, actor, body }) => {
    const { return_hosts: hosts, return_number_prefixes: numberPrefixes } = parseBody(ChangeAccountRequest, body);
    const given = { ...(hosts !== undefined && { hosts }), ...(numberPrefixes !== undefined && { numberPrefixes }) };
    return resourceOf(await changeAccount(database, actor, scope.accountId, given));
  });

  addOperation(app, 'POST /account/roll_header_signing_secret', ROLL_HEADER_SECRET, async ({ scope, actor }) => {
    const secret = await rollHeaderSecret(database, requireVault(vault), actor, scope);
    if (secret === null) throw new Error('the account of a valid key does not exist');
    return { account_id: scope.accountId, header_signing_secret: secret };
  });
}

interface AccountDeps {
  database: Database;
  /** Null without encryption keys. */
  vault: Vault | null;
}

function resourceOf(account: Account | null): AccountResource {
  if (account === null) throw new Error('the account of a valid key does not exist');
  return accountResource(account);
}
