/** `ringkey merchant`: creates and lists merchants. Processor credentials are set over REST only. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createMerchant } from '../accounts/merchants/settings.ts';
import { transferNumbersIn } from '../config/derived.ts';
import { merchantResource } from '../contract/merchants.ts';
import { listMerchantRecords, type MerchantRecord } from '../db/merchants/merchant-records.ts';
import type { Database } from '../db/pool.ts';
import type { AccountId } from '../domain/ids.ts';
import { type Merchant, type PaymentPolicy, POLICY_KINDS } from '../domain/merchant.ts';
import { type Currency, MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { type E164, parseE164 } from '../domain/phone-number.ts';
import type { Mode } from '../domain/session.ts';
import type { TransferNumbers } from '../domain/transfer-number.ts';
import { requireAccount } from './account.ts';
import { accountOption, currencyOption, jsonOption, modeOption, nameOption } from './arguments.ts';
import { type CommandContext, commandActor, printReport, type Report } from './context.ts';
import { addListCommand, type ListOptions, listReport, readModes } from './lists.ts';
import { addNotificationCommand } from './notifications.ts';

interface NewMerchantOptions {
  account: AccountId;
  mode: Mode;
  name: string;
  slug?: string;
  number: readonly E164[];
  /** The account's currency if absent. */
  currency?: Currency;
  policy?: PaymentPolicy['kind'];
  /** For the policy `above`. */
  threshold?: number;
  json?: true;
}

export function addMerchantCommands(program: Command, context: CommandContext): void {
  const merchant = program.command('merchant').description('create and list merchants');
  merchant
    .command('create')
    .description('create a merchant; connect its processor over REST')
    .addOption(accountOption())
    .addOption(nameOption('business name, as callers hear it').makeOptionMandatory())
    .addOption(modeOption())
    .option('--slug <slug>', 'short name for URLs: lower-case letters, digits and single hyphens', parseSlug)
    .addOption(currencyOption())
    .option('--number <number>', 'number that callers dial, in E.164; can be repeated', addNumber, [])
    .addOption(new Option('--policy <policy>', 'when a checkout needs payment').choices(POLICY_KINDS))
    .option('--threshold <cents>', 'amount for the policy "above", in minor units', parseThreshold)
    .addOption(jsonOption())
    .action((options: NewMerchantOptions) =>
      printReport(context, options.json, (database) =>
        addMerchant(database, options, transferNumbersIn(context.readConfig())),
      ),
    );
  addNotificationCommand(merchant, context);
  addListCommand(merchant, context, 'list the merchants of an account, newest first', showMerchants);
}

/** The same rule as in REST. */
function parseSlug(text: string): string {
  if (text.length <= 63 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)) return text;
  throw new InvalidArgumentError('It must be lower-case letters and digits, with single hyphens between them.');
}

function addNumber(text: string, others: readonly E164[]): readonly E164[] {
  const number = parseE164(text);
  if (number === null) throw new InvalidArgumentError('It must be a phone number in E.164, such as +15550100001.');
  return [...others, number];
}

function parseThreshold(text: string): number {
  const amount = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (amount >= 1 && amount <= MAX_AMOUNT_CENTS) return amount;
  throw new InvalidArgumentError(`It must be a whole number of minor units from 1 to ${MAX_AMOUNT_CENTS}.`);
}

/** @throws ApiError as REST does: slug or number in use, threshold without `above` */
async function addMerchant(
  database: Database,
  options: NewMerchantOptions,
  transferNumbers: TransferNumbers,
): Promise<Report> {
  const { account: accountId, mode } = options;
  const account = await requireAccount(database, accountId);
  // The command sets no secrets, processors or voices.
  const deps = {
    database,
    processors: [],
    vault: null,
    privateTargets: false,
    transferNumbers,
    mayHaveVoice: () => false,
  };
  const { record } = await createMerchant(
    deps,
    commandActor(),
    { accountId, mode },
    {
      businessName: options.name,
      slug: options.slug,
      numbers: options.number,
      currency: options.currency ?? account.currency,
      policy: options.policy,
      policyAmountCents: options.threshold,
    },
  );
  const { merchant } = record;
  return {
    json: merchantResource(record),
    lines: [
      `Merchant ${merchant.id}`,
      `  ${merchant.mode}, slug ${merchant.slug}, ${merchant.currency}, policy ${policyText(merchant)}`,
      `  next: POST /v1/merchants/${merchant.id}/processor with a ${merchant.mode} key of the account`,
    ],
  };
}

async function showMerchants(database: Database, options: ListOptions): Promise<Report> {
  const records = await readModes(options, (scope, page) => listMerchantRecords(database, scope, page));
  return listReport('merchants', records.map(merchantResource), records.map(merchantLine));
}

function merchantLine({ merchant, numbers }: MerchantRecord): string {
  const { id, mode, slug, currency, processor, businessName } = merchant;
  const facts = [id, mode, slug, currency, policyText(merchant), processor ?? 'no processor', numbers.join(',')];
  return [...facts, businessName].filter((fact) => fact !== '').join('  ');
}

function policyText({ policy }: Merchant): string {
  return policy.kind === 'above' ? `above ${policy.amountCents}` : policy.kind;
}
