/** `ringkey merchant notifications`: the address of a merchant's processor notifications, and the secret they are signed with. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import {
  changeNotificationSecret,
  type NotificationSettingsDeps,
  notificationSettings,
} from '../accounts/merchants/notification-secret.ts';
import { vaultOf } from '../app/encryption-keys.ts';
import { createProcessors } from '../app/payments.ts';
import type { Config } from '../config/settings.ts';
import { findMerchant } from '../db/merchants/merchants.ts';
import type { Database } from '../db/pool.ts';
import type { MerchantId } from '../domain/ids.ts';
import { idArgument, jsonOption } from './arguments.ts';
import { type CommandContext, CommandFailed, commandActor, printReport, type Report, requireFound } from './context.ts';

const NOTES = `
Enter the URL at the processor, and give Ringkey the secret that it shows there. Replacing a secret keeps the former one
for 24 hours. The secret is read from a file, or with - from standard input, so that it is in no history of commands.`;

/** Far more than any secret. */
const MOST_CHARACTERS = 4_096;

interface NotificationOptions {
  secretFile?: string;
  removeSecret?: true;
  json?: true;
}

/** @param merchant the command `ringkey merchant` */
export function addNotificationCommand(merchant: Command, context: CommandContext): void {
  merchant
    .command('notifications')
    .description("show the URL of a merchant's processor notifications, or set their secret")
    .addArgument(idArgument('Merchant'))
    .option('--secret-file <path>', 'set the secret in this file; - reads standard input')
    .addOption(new Option('--remove-secret', 'accept no more notifications').conflicts('secretFile'))
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((id: MerchantId, options: NotificationOptions) =>
      printReport(context, options.json, (database, config) => report(database, config, id, options)),
    );
}

async function report(
  database: Database,
  config: Config,
  id: MerchantId,
  { secretFile, removeSecret }: NotificationOptions,
): Promise<Report> {
  const merchant = requireFound(await findMerchant(database, id), `merchant ${id}`);
  const deps: NotificationSettingsDeps = {
    database,
    vault: vaultOf(config),
    processors: createProcessors(database),
    publicUrl: config.RINGKEY_PUBLIC_URL ?? null,
  };
  if (secretFile !== undefined || removeSecret === true) {
    const secret = secretFile === undefined ? null : await readSecret(secretFile);
    await changeNotificationSecret(deps, commandActor(), merchant, secret);
  }
  const { url, hasSecret, previousSecretUntil } = await notificationSettings(deps, merchant);
  const until = previousSecretUntil?.toISOString() ?? null;
  const json = {
    merchant_id: id,
    processor: merchant.processor,
    url,
    has_secret: hasSecret,
    previous_secret_until: until,
  };
  return {
    json,
    lines: [
      `${id}  ${merchant.processor ?? 'no processor'}  ${hasSecret ? 'secret set' : 'no secret'}`,
      ...(url === null ? [] : [`  url ${url}`]),
      ...(until === null ? [] : [`  former secret accepted until ${until}`]),
    ],
  };
}

/** @throws CommandFailed */
async function readSecret(path: string): Promise<string> {
  const content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8').catch(() => null);
  if (content === null) throw new CommandFailed(`${path} cannot be read`);
  const secret = content.trim();
  if (secret === '' || secret.length > MOST_CHARACTERS) throw new CommandFailed(`${path} contains no secret`);
  return secret;
}
