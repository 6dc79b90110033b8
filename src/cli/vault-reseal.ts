/**
 * `ringkey vault reseal`: encrypts every secret in the database with the first key, so that an old key can be removed.
 */
import type { Command } from 'commander';
import { notificationSecretContext } from '../accounts/merchants/notification-secret.ts';
import { orderSourceContext } from '../accounts/merchants/order-source.ts';
import { credentialsContext } from '../accounts/merchants/processor.ts';
import { totpContext } from '../accounts/users/second-factor.ts';
import { slackUrlContext } from '../alerts/manage.ts';
import { payCodesContext } from '../checkout/pay-link.ts';
import { lockUnsealedAccounts, setHeaderSecret } from '../db/keys/accounts.ts';
import { answerContext } from '../db/keys/idempotency.ts';
import type { Database, Sql } from '../db/pool.ts';
import { readSealed, replaceSealed, type SealedColumn, type SealedText } from '../db/sealed.ts';
import { CannotStart } from '../lib/start-error.ts';
import {
  createVault,
  handleContext,
  headerSecretContext,
  openOrNull,
  sealHeaderSecret,
  type Vault,
} from '../lib/vault/vault.ts';
import { textContext } from '../notifications/sms/sealed-body.ts';
import { webhookSecretContext } from '../notifications/webhooks/endpoints.ts';
import type { CommandContext } from './context.ts';
import { withDatabase } from './with-database.ts';

const NOTES = `
Encrypts everything that is encrypted in the database again, with the first of RINGKEY_ENCRYPTION_KEYS. Also encrypts
account secrets that an earlier version stored in clear. The service can keep running, but all of its processes must
have this version and that key first. If the command is interrupted, run it again: it continues.

To replace a key:
  1. Append the new key in all processes, and deploy.
  2. Move it to the front, and deploy.
  3. Run ringkey vault reseal.
  4. When it has ended with exit code 0, remove the old key.`;
const MAX_NAMED = 100;

export function addVaultCommands(program: Command, context: CommandContext): void {
  program
    .command('vault')
    .description('replace encryption keys')
    .command('reseal')
    .description('encrypt everything with the first key')
    .addHelpText('after', NOTES)
    .action(async () => {
      const config = context.readConfig();
      const keys = config.RINGKEY_ENCRYPTION_KEYS;
      if (keys.length === 0) throw new CannotStart('ringkey vault reseal needs RINGKEY_ENCRYPTION_KEYS.');
      const vault = createVault(keys);
      const { sealed, results } = await withDatabase(config, async (database) => ({
        sealed: await sealAccounts(database, vault),
        results: await resealAll(database, vault),
      }));
      if (sealed > 0) console.log(`account secrets of earlier versions: ${sealed} encrypted`);
      for (const { name, resealed, current } of results) {
        console.log(`${name}: ${resealed} encrypted again, ${current} unchanged`);
      }
      const problems = results.flatMap(problemsOf);
      for (const problem of problems) console.error(`ringkey: ${problem}`);
      context.exitCode = problems.length === 0 ? 0 : 1;
    });
}

function problemsOf({ name, unopened, missed }: Resealed): string[] {
  const more = unopened.length > MAX_NAMED ? ` and ${unopened.length - MAX_NAMED} more` : '';
  const ids = unopened.slice(0, MAX_NAMED).join(', ');
  return [
    ...(unopened.length > 0 ? [`${name} that no key decrypts: ${ids}${more}`] : []),
    ...(missed > 0 ? [`${name}: ${missed} changed meanwhile: run the command again`] : []),
  ];
}

interface SealedKind extends SealedColumn {
  /** Printed with the counts. */
  name: string;
  /** The context that the text was sealed with. @param key values of the row's key, in the order of `key` */
  context(key: readonly string[]): string;
}

/**
 * Every column that `Vault.seal` writes. The service copies secrets between columns (a rolled secret becomes the
 * previous one, a deleted card's handle moves to its removal). The column copied from comes first in this list.
 */
export const SEALED: readonly SealedKind[] = [
  {
    name: 'processor credentials',
    table: 'merchant_processors',
    column: 'credentials',
    key: { merchant_id: 'text', processor: 'text' },
    context: ([id = '', processor = '']) => credentialsContext(id, processor),
  },
  {
    name: 'notification secrets',
    table: 'merchant_processors',
    column: 'notification_secret',
    key: { merchant_id: 'text', processor: 'text' },
    context: ([id = '', processor = '']) => notificationSecretContext(id, processor),
  },
  {
    name: 'previous notification secrets',
    table: 'merchant_processors',
    column: 'previous_notification_secret',
    key: { merchant_id: 'text', processor: 'text' },
    context: ([id = '', processor = '']) => notificationSecretContext(id, processor),
  },
  {
    name: 'order source secrets',
    table: 'order_sources',
    column: 'signing_secret',
    key: { merchant_id: 'text' },
    context: ([merchantId = '']) => orderSourceContext(merchantId),
  },
  {
    name: 'webhook secrets',
    table: 'webhook_endpoints',
    column: 'signing_secret',
    key: { id: 'text' },
    context: ([id = '']) => webhookSecretContext(id),
  },
  {
    name: 'previous webhook secrets',
    table: 'webhook_endpoints',
    column: 'previous_secret',
    key: { id: 'text' },
    context: ([id = '']) => webhookSecretContext(id),
  },
  {
    name: 'Slack channels of alerts',
    table: 'alert_targets',
    column: 'slack_url',
    key: { id: 'text' },
    context: ([id = '']) => slackUrlContext(id),
  },
  {
    name: 'account secrets',
    table: 'accounts',
    column: 'header_signing_secret',
    key: { id: 'text' },
    sealedIf: 'header_secret_sealed',
    context: ([id = '']) => headerSecretContext(id),
  },
  {
    name: 'card handles',
    table: 'instruments',
    column: 'processor_handle',
    sealedIf: 'handle_sealed',
    key: { id: 'text' },
    context: ([id = '']) => handleContext(id),
  },
  {
    name: 'handles of removed cards',
    table: 'card_removals',
    column: 'processor_handle',
    sealedIf: 'handle_sealed',
    // A removal's handle is sealed for its card, which never changes.
    key: { id: 'bigint', instrument_id: 'text' },
    context: ([, instrumentId = '']) => handleContext(instrumentId),
  },
  {
    name: 'pay links',
    table: 'pay_links',
    column: 'codes_sealed',
    key: { session_id: 'text' },
    context: ([sessionId = '']) => payCodesContext(sessionId),
  },
  {
    name: 'texts with pay links',
    table: 'texts',
    column: 'sealed_body',
    key: { id: 'text' },
    context: ([id = '']) => textContext(id),
  },
  {
    name: 'authenticators of invited users',
    table: 'user_invitations',
    column: 'totp_secret',
    key: { token_hash: 'bytea', user_id: 'text' },
    sealedIf: 'totp_secret is not null',
    context: ([, userId = '']) => totpContext(userId),
  },
  {
    name: 'authenticators of users',
    table: 'users',
    column: 'totp_secret',
    key: { id: 'text' },
    sealedIf: 'totp_secret is not null',
    context: ([userId = '']) => totpContext(userId),
  },
  {
    name: 'stored responses',
    table: 'idempotency_keys',
    column: 'answer',
    key: { account_id: 'text', mode: 'mode', route: 'text', key_hash: 'bytea' },
    context: ([accountId = '', mode = '', route = '', hash = '']) =>
      answerContext({ accountId, mode, route, keyHash: Buffer.from(hash.slice('\\x'.length), 'hex') }),
  },
];

/** Seals account secrets that an earlier version stored in clear. @returns how many */
async function sealAccounts(database: Database, vault: Vault): Promise<number> {
  for (let sealed = 0; ; ) {
    const batch = await database.transaction(async (sql) => {
      const accounts = await lockUnsealedAccounts(sql, BATCH);
      for (const { id, headerSigningSecret } of accounts) {
        await setHeaderSecret(sql, id, sealHeaderSecret(vault, id, headerSigningSecret));
      }
      return accounts.length;
    });
    sealed += batch;
    if (batch < BATCH) return sealed;
  }
}

interface Resealed {
  name: string;
  /** Sealed again by this run. */
  resealed: number;
  /** Already sealed with the first key when first read. */
  current: number;
  /** Keys of the rows that no key opens. Keys of several columns are joined by `/`. */
  unopened: string[];
  /** Changed or locked by another process in every round. */
  missed: number;
}

const BATCH = 500;
/** One round for the work, one for rows written meanwhile, and some more for a busy service. */
const MAX_ROUNDS = 5;

/** Repeats until nothing is left to seal, at most {@link MAX_ROUNDS} times. */
export async function resealAll(sql: Sql, vault: Vault, batch = BATCH): Promise<Resealed[]> {
  let total: Resealed[] = [];
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const found: Resealed[] = [];
    for (const kind of SEALED) found.push(await resealKind(sql, vault, kind, batch));
    total = found.map((now, place) => ({
      ...now,
      resealed: now.resealed + (total[place]?.resealed ?? 0),
      current: total[place]?.current ?? now.current,
    }));
    if (found.every(({ resealed, missed }) => resealed === 0 && missed === 0)) break;
  }
  return total;
}

async function resealKind(sql: Sql, vault: Vault, kind: SealedKind, batch: number): Promise<Resealed> {
  const result: Resealed = { name: kind.name, resealed: 0, current: 0, unopened: [], missed: 0 };
  let after: readonly string[] | null = null;
  for (;;) {
    const texts: SealedText[] = await readSealed(sql, kind, after, batch);
    const old = texts.filter(({ sealed }) => !vault.isCurrent(sealed));
    const fresh = old.flatMap((text) => {
      const resealed = resealedText(vault, text, kind);
      if (resealed === null) result.unopened.push(text.key.join('/'));
      return resealed === null ? [] : [{ ...text, resealed }];
    });
    const replaced = fresh.length === 0 ? 0 : await replaceSealed(sql, kind, fresh);
    result.resealed += replaced;
    result.missed += fresh.length - replaced;
    result.current += texts.length - old.length;
    after = texts.at(-1)?.key ?? null;
    if (after === null || texts.length < batch) return result;
  }
}

/** @returns null if no key opens it */
function resealedText(vault: Vault, { key, sealed }: SealedText, kind: SealedKind): string | null {
  const context = kind.context(key);
  const text = openOrNull(vault, sealed, context);
  return text === null ? null : vault.seal(text, context);
}
