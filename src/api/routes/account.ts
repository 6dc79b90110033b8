/** `/v1/account`: the account of the key that asks. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  AccountResource,
  accountResource,
  ATTESTATION_URL_MEANING,
  PAGE_BRANDING,
  RETURN_TARGETS,
} from '../../contract/accounts.ts';
import { ApiError } from '../../contract/errors.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import { findAccount } from '../../db/keys/accounts.ts';
import type { Database } from '../../db/pool.ts';
import type { Account, PageBranding } from '../../domain/account.ts';
import { type HexColor, parseHexColor } from '../../domain/colors.ts';
import type { Mode } from '../../domain/session.ts';
import { isNumberPrefix, MAX_RETURN_TARGETS, parseReturnHost } from '../../domain/return-permission.ts';
import { parseEmail } from '../../domain/user.ts';
import { changeAccount, rollHeaderSecret } from '../../keys/accounts.ts';
import { isDeliverable } from '../../merchants/order-source.ts';
import { requireVault, type Vault } from '../../vault/vault.ts';
import { targetsFor } from '../plugins/local-requests.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { phoneNumber } from '../text-schemas.ts';
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

const hexColor = z
  .string()
  .max(7)
  .transform((text, context): HexColor => {
    const color = parseHexColor(text);
    if (color !== null) return color;
    context.addIssue({ code: 'custom', message: 'is not # and six hexadecimal digits' });
    return z.NEVER;
  });

const emailAddress = z
  .string()
  .max(254)
  .transform((text, context): string => {
    const email = parseEmail(text);
    if (email !== null) return email;
    context.addIssue({ code: 'custom', message: 'is not an e-mail address' });
    return z.NEVER;
  });

const MAX_URL_LENGTH = 2_048;

export const ChangeAccountRequest = z
  .strictObject({
    return_hosts: field(targets(returnHost).nullable(), RETURN_TARGETS.hosts, ['*.example.com']),
    return_number_prefixes: field(targets(numberPrefix), RETURN_TARGETS.prefixes, ['+44']),
    attestation_url: field(
      z.string().max(MAX_URL_LENGTH).nullable(),
      ATTESTATION_URL_MEANING,
      'https://voice.example.com/attestation',
    ),
    page_accent_color: field(hexColor.nullable(), PAGE_BRANDING.accentColor, '#24569b'),
    page_support_phone: field(phoneNumber.nullable(), PAGE_BRANDING.supportPhone, '+15550100200'),
    page_support_email: field(emailAddress.nullable(), PAGE_BRANDING.supportEmail, 'billing@example.com'),
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
  summary: 'Change the account',
  description: `Where its callers may be sent after a call: a \`return_to\` that leads elsewhere is refused by \`create_checkout\`, and when the call returns.
So whoever steals the key of an agent (scope \`agent\`) cannot have calls placed to hosts and numbers of their own.

And who is asked of calls' attestation, \`attestation_url\`: its questions are signed with the secret of the SIP headers.

And how the pay page looks: an accent colour, and where payers can ask. The page's name is the merchant's \`business_name\`.

What is not given stays as it is; a list replaces the whole list, 50 entries at most. The lists hold in both modes, for every call that arrives from
then on: an account that has live keys changes them with one of those; with a test key that is 401 \`invalid_key\`. The URL and the pay page's settings
hold in the mode of the key.`,
  request: ChangeAccountRequest,
  response: AccountResource,
  answers: 'The account as it is now.',
  errors: ['missing_required_fields', 'invalid_url'],
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
  summary: 'Roll the secret of the SIP headers',
  description: `A new secret signs \`X-Ringkey-Signature\`, and the questions to \`attestation_url\`, from now on, in both modes, and is shown this once; the old one signs no more. A call that is on the
line now may come back signed with either: accept both for the length of a call. An account that has live keys rolls it with one of those; with a test key
that is 401 \`invalid_key\`.`,
  response: RolledHeaderSecret,
  answers: 'The new secret, this once.',
  errors: ['not_configured'],
  example: {},
} satisfies Operation;

export function accountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, vault } = deps;
  addOperation(app, 'GET /account', RETRIEVE_ACCOUNT, async ({ scope }) =>
    resourceOf(await findAccount(database, scope.accountId), scope.mode),
  );

  addOperation(app, 'PATCH /account', CHANGE_ACCOUNT, async (request) => {
    const { scope, actor, body } = request;
    const {
      return_hosts: hosts,
      return_number_prefixes: prefixes,
      attestation_url: url,
      ...branding
    } = parseBody(ChangeAccountRequest, body);
    if (url != null && !isDeliverable(url, scope.mode, targetsFor(request, deps).privateTargets)) {
      throw new ApiError('invalid_url', { param: 'attestation_url' });
    }
    const given = {
      ...(hosts !== undefined && { hosts }),
      ...(prefixes !== undefined && { numberPrefixes: prefixes }),
      ...(url !== undefined && { attestationUrl: { mode: scope.mode, url } }),
      ...(Object.keys(branding).length > 0 && { branding: { mode: scope.mode, ...brandingOf(branding) } }),
    };
    return resourceOf(await changeAccount(database, actor, scope, given), scope.mode);
  });

  addOperation(app, 'POST /account/roll_header_signing_secret', ROLL_HEADER_SECRET, async ({ scope, actor }) => {
    const secret = await rollHeaderSecret(database, requireVault(vault), actor, scope);
    if (secret === null) throw new Error('the account of a valid key does not exist');
    return { account_id: scope.accountId, header_signing_secret: secret };
  });
}

function brandingOf(given: Pick<z.output<typeof ChangeAccountRequest>, PageField>): Partial<PageBranding> {
  const { page_accent_color: color, page_support_phone: phone, page_support_email: email } = given;
  return {
    ...(color !== undefined && { accentColor: color }),
    ...(phone !== undefined && { supportPhone: phone }),
    ...(email !== undefined && { supportEmail: email }),
  };
}

type PageField = 'page_accent_color' | 'page_support_phone' | 'page_support_email';

interface AccountDeps {
  database: Database;
  /** Null without encryption keys. */
  vault: Vault | null;
  /** URLs of test mode may lead to private addresses. */
  privateTargets: boolean;
  /** Where local requests say so only. */
  privateTargetsLocally?: boolean;
}

function resourceOf(account: Account | null, mode: Mode): AccountResource {
  if (account === null) throw new Error('the account of a valid key does not exist');
  return accountResource(account, mode);
}
