/** `/v1/account`: the account of the key. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { changeAccount, rollHeaderSecret } from '../../../accounts/keys/accounts.ts';
import { isDeliverable } from '../../../accounts/merchants/order-source.ts';
import {
  AccountResource,
  ATTESTATION_URL_MEANING,
  accountResource,
  PAGE_BRANDING,
  RETURN_TARGETS,
  TEXT_COUNTRIES_MEANING,
} from '../../../contract/accounts.ts';
import { ApiError } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findAccount } from '../../../db/keys/accounts.ts';
import type { Database } from '../../../db/pool.ts';
import type { Account } from '../../../domain/account.ts';
import { type Country, parseCountry } from '../../../domain/phone-number.ts';
import { isNumberPrefix, MAX_RETURN_TARGETS, parseReturnHost } from '../../../domain/return-permission.ts';
import type { Mode } from '../../../domain/session.ts';
import { requireVault, type Vault } from '../../../lib/vault/vault.ts';
import { targetsFor } from '../plugins/local-requests.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { brandingFields, changedBranding } from './page-branding-shapes.ts';

const returnHost = z.string().transform((text, context): string => {
  const host = parseReturnHost(text);
  if (host !== null) return host;
  context.addIssue({ code: 'custom', message: 'must be a host name, *.example.com, an IP address or *' });
  return z.NEVER;
});

const numberPrefix = z.string().refine(isNumberPrefix, { error: 'must be + and 1 to 15 digits' });

const country = z.string().transform((text, context): Country => {
  const letters = parseCountry(text);
  if (letters !== null) return letters;
  context.addIssue({ code: 'custom', message: 'must be a two-letter country code (ISO 3166-1)' });
  return z.NEVER;
});

/** At most {@link MAX_RETURN_TARGETS} entries, without duplicates. */
function targets<T extends z.ZodType<string, string>>(item: T) {
  return z
    .array(item)
    .max(MAX_RETURN_TARGETS)
    .refine((items) => new Set(items).size === items.length, { error: 'must not contain an entry twice' });
}

const MAX_URL_LENGTH = 2_048;

export const ChangeAccountRequest = z
  .strictObject({
    return_hosts: field(targets(returnHost).nullable(), RETURN_TARGETS.hosts, ['*.example.com']),
    return_number_prefixes: field(targets(numberPrefix), RETURN_TARGETS.prefixes, ['+44']),
    text_countries: field(targets(country), TEXT_COUNTRIES_MEANING, ['MX']),
    attestation_url: field(
      z.string().max(MAX_URL_LENGTH).nullable(),
      ATTESTATION_URL_MEANING,
      'https://voice.example.com/attestation',
    ),
    ...brandingFields(PAGE_BRANDING),
  })
  .partial();

const RETRIEVE_ACCOUNT = {
  id: 'retrieve_account',
  group: 'Account',
  summary: 'Retrieve the account',
  description: 'The account of your key. The secret that signs the SIP headers is never shown.',
  response: AccountResource,
  answers: 'The account.',
  errors: [],
  example: {},
} satisfies Operation;

const CHANGE_ACCOUNT = {
  id: 'change_account',
  group: 'Account',
  summary: 'Update the account',
  description: `Updates where callers can be sent after a call, which countries can be texted, and how the pay page looks. Fields
that you omit keep their values. A list replaces the whole list and can have up to 50 entries.

- **Return targets.** \`create_checkout\` rejects a \`return_to\` that is not allowed, and so does the line when a
call returns. Even with a stolen key of the scope \`agent\`, an attacker cannot send calls to their own hosts and
numbers.
- **Texts.** \`text_countries\` adds countries to those of the merchants.
- **Attestation.** Requests to \`attestation_url\` are signed with the secret of the SIP headers.
- **Pay page.** You can set an accent color, contacts for payers, and links to your terms and privacy policy. The name on the page is the merchant's
\`business_name\`.

Lists apply in both modes, to every call that arrives after the change. If the account has live keys, use one to
change lists: a test key returns 401 \`invalid_key\`. \`attestation_url\` and the settings of the pay page apply in
the mode of the key.`,
  request: ChangeAccountRequest,
  response: AccountResource,
  answers: 'The updated account.',
  errors: ['missing_required_fields', 'invalid_url'],
  example: { body: { return_hosts: ['*.example.com'], return_number_prefixes: ['+44'] } },
} satisfies Operation;

export const RolledHeaderSecret = z.object({
  account_id: FIELDS.account_id,
  header_signing_secret: field(
    z.string(),
    'The key of the HMAC in `X-Ringkey-Signature`, base64 of 32 bytes. Shown only once.',
    'RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=',
  ),
});

const ROLL_HEADER_SECRET = {
  id: 'roll_header_signing_secret',
  group: 'Account',
  summary: 'Roll the secret of the SIP headers',
  description: `Creates a new secret that signs \`X-Ringkey-Signature\` and the requests to \`attestation_url\`, in both modes. It
is valid at once and shown only once. The old secret no longer signs anything.

A call that is on the line now can return with either signature, so accept both for the length of a call. If the
account has live keys, use one of them: a test key returns 401 \`invalid_key\`.`,
  response: RolledHeaderSecret,
  answers: 'The new secret. It is shown only once.',
  errors: ['not_configured'],
  example: {},
} satisfies Operation;

export function accountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, vault } = deps;
  addOperation(app, 'GET /account', RETRIEVE_ACCOUNT, async (_input, { scope }) =>
    resourceOf(await findAccount(database, scope.accountId), scope.mode),
  );

  addOperation(app, 'PATCH /account', CHANGE_ACCOUNT, async ({ body }, request) => {
    const { scope, actor } = request;
    const {
      return_hosts: hosts,
      return_number_prefixes: prefixes,
      text_countries: textCountries,
      attestation_url: url,
      ...branding
    } = body;
    if (url != null && !isDeliverable(url, scope.mode, targetsFor(request, deps).privateTargets)) {
      throw new ApiError('invalid_url', { param: 'attestation_url' });
    }
    const changed = {
      ...(hosts !== undefined && { hosts }),
      ...(prefixes !== undefined && { numberPrefixes: prefixes }),
      ...(textCountries !== undefined && { textCountries }),
      ...(url !== undefined && { attestationUrl: { mode: scope.mode, url } }),
      ...(Object.keys(branding).length > 0 && { branding: { mode: scope.mode, ...changedBranding(branding) } }),
    };
    return resourceOf(await changeAccount(database, actor, scope, changed), scope.mode);
  });

  addOperation(
    app,
    'POST /account/roll_header_signing_secret',
    ROLL_HEADER_SECRET,
    async (_input, { scope, actor }) => {
      const secret = await rollHeaderSecret(database, requireVault(vault), actor, scope);
      if (secret === null) throw new Error('the account of a valid key does not exist');
      return { account_id: scope.accountId, header_signing_secret: secret };
    },
  );
}

interface AccountDeps {
  database: Database;
  /** Null without encryption keys. */
  vault: Vault | null;
  /** URLs in test mode can have private addresses. */
  privateTargets: boolean;
  /** Only local requests can set such URLs. */
  privateTargetsLocally?: boolean;
}

function resourceOf(account: Account | null, mode: Mode): AccountResource {
  if (account === null) throw new Error('the account of a valid key does not exist');
  return accountResource(account, mode);
}
