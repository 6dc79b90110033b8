/** `ringkey reconcile`: compares charges and refunds with what the processors list. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { credentialsSource } from '../accounts/merchants/processor.ts';
import { vaultOf } from '../app/encryption-keys.ts';
import { createProcessors } from '../app/payments.ts';
import type { Config } from '../config/settings.ts';
import type { Database } from '../db/pool.ts';
import { type Connection, type ConnectionFilter, listConnections, type RecordsChange } from '../db/reconciliation.ts';
import type { AccountId, MerchantId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { reconcile } from '../payments/reconciliation/reconcile.ts';
import type { Finding, NotCompared, Reconciled, Span } from '../payments/reconciliation/reconciliation.ts';
import { idParser, jsonOption, modeFilterOption } from './arguments.ts';
import { type CommandContext, commandActor, createOperatorLog } from './context.ts';
import { withDatabase } from './with-database.ts';

const NOTES = `
Each line is a difference: its kind, the charge, the processor's payment, the amounts at Ringkey and at the processor in
minor units.
  missing_here          paid at the processor, unknown to Ringkey
  failed_here           paid at the processor, failed at Ringkey
  pending_here          paid at the processor, pending at Ringkey
  missing_there         succeeded at Ringkey, unknown to the processor
  failed_there          succeeded at Ringkey, not paid at the processor
  amount_differs        paid with another amount
  second_payment        the processor has a second payment for the charge
  hold_differs          Ringkey and the processor disagree on whether a hold is open, captured or released
  refund_missing_here   refunded at the processor (for example in its dashboard), unknown to Ringkey
  refund_pending_here   succeeded or failed at the processor, pending at Ringkey
  refund_missing_there  succeeded at Ringkey, unknown to the processor
  refund_failed_there   succeeded at Ringkey, failed at the processor
  refund_amount_differs refunded with another amount

After the merchant was connected to its processor again, "not compared" shows charges that the present account does not
list: the merchant was connected to another account before, or the account is not known (Stripe hides it from restricted
keys). Check them in the dashboard of the former account. A new key of the same account changes nothing.

--fix settles what is certain, and moves no money: payments of the right amount whose charge is failed or pending, or
missing although its session exists; and refunds that were made, succeeded or failed at the processor. You decide about
the rest.
Exit code 1 means that differences are left, that charges were not compared, or that a processor could not be asked.`;

const DAY_MS = 86_400_000;
/** A payment may appear in a processor's list minutes late. */
const NOT_BEFORE_MS = 15 * 60_000;
const DEFAULT_DAYS = 2;
const MAX_DAYS = 90;

interface ReconcileCommand {
  account?: AccountId;
  merchant?: MerchantId;
  mode?: Mode;
  days: number;
  fix?: true;
  json?: true;
}

export function addReconcileCommand(program: Command, context: CommandContext): void {
  program
    .command('reconcile')
    .description('compare charges and refunds with what the processors list')
    .addOption(new Option('--account <id>', 'only this account').argParser(idParser('Account')))
    .addOption(new Option('--merchant <id>', 'only this merchant').argParser(idParser('Merchant')))
    .addOption(modeFilterOption())
    .addOption(new Option('--days <n>', 'compare the last n days').argParser(parseDays).default(DEFAULT_DAYS))
    .option('--fix', 'settle what is certain')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action(async (options: ReconcileCommand) => {
      const config = context.readConfig();
      const results = await withDatabase(config, (database) => reconcileAll(database, config, options));
      print(results, options);
      context.exitCode = results.every(isClean) ? 0 : 1;
    });
}

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`It must be a whole number of days from 1 to ${MAX_DAYS}.`);
}

interface Result {
  connection: Connection;
  outcome: Reconciled;
}

async function reconcileAll(database: Database, config: Config, options: ReconcileCommand): Promise<Result[]> {
  const { account: accountId = null, merchant: merchantId = null, mode = null, days, fix = false } = options;
  const deps = {
    database,
    log: createOperatorLog(config, {}),
    processors: createProcessors(database),
    credentialsFor: credentialsSource(database, vaultOf(config)),
  };
  const until = new Date(Date.now() - NOT_BEFORE_MS);
  const span: Span = { from: new Date(until.getTime() - days * DAY_MS), until };
  const stop = new AbortController().signal;
  const filter: ConnectionFilter = { accountId, merchantId, mode };
  const results: Result[] = [];
  for (const connection of await listConnections(database, filter)) {
    const outcome = await reconcile(deps, connection, { ...span, fix, by: commandActor() }, stop);
    results.push({ connection, outcome });
  }
  return results;
}

function isClean({ outcome }: Result): boolean {
  if (outcome.status === 'unreadable') return false;
  return outcome.findings.every(({ fixed }) => fixed) && (outcome.notCompared?.charges ?? 0) === 0;
}

function print(results: readonly Result[], { json }: ReconcileCommand): void {
  if (json) {
    console.log(JSON.stringify({ connections: results.map(resource) }, null, 2));
    return;
  }
  for (const { connection, outcome } of results) {
    const { merchantId, processor, mode } = connection;
    const name = `${merchantId}  ${mode}  ${processor}`;
    if (outcome.status === 'unreadable') {
      console.log(`${name}  not compared: ${outcome.cause}`);
      continue;
    }
    const { payments, findings, notCompared } = outcome;
    console.log(`${name}  ${payments} payments, ${findings.length} differences`);
    for (const finding of findings) console.log(`  ${lineOf(finding)}`);
    if (notCompared !== null) console.log(`  ${notComparedLine(notCompared)}`);
  }
  if (results.length === 0) console.log('no connected merchants');
}

const CHANGES: Record<RecordsChange, string> = {
  another_account: 'the merchant was connected to another account then',
  unknown_account: 'it is not known whether the merchant was connected to the same account then',
};

function notComparedLine({ from, until, charges, reason }: NotCompared): string {
  const span = `from ${from.toISOString()} until ${until.toISOString()}`;
  return `not compared: ${charges} charges ${span}, because ${CHANGES[reason]}`;
}

function lineOf(finding: Finding): string {
  const { kind, chargeId, refundId, processorPaymentId, processorRefundId, currency, fixed } = finding;
  const [ours, theirs] = kind.startsWith('refund') ? [refundId, processorRefundId] : [chargeId, processorPaymentId];
  const amounts = `${finding.hereCents ?? '-'} / ${finding.thereCents ?? '-'} ${currency}`;
  const of = kind.startsWith('refund') ? [`of ${chargeId}`] : [];
  return [kind, ours ?? '-', theirs ?? '-', amounts, ...of, ...(fixed ? ['settled'] : [])].join('  ');
}

function resource({ connection, outcome }: Result): object {
  const { accountId: account_id, merchantId: merchant_id, mode, processor } = connection;
  const of = { account_id, merchant_id, environment: mode, processor };
  if (outcome.status === 'unreadable') return { ...of, compared: false, cause: outcome.cause };
  const { payments, findings, notCompared } = outcome;
  return {
    ...of,
    compared: true,
    payments,
    differences: findings.map(findingResource),
    not_compared: notCompared === null ? null : notComparedResource(notCompared),
  };
}

const notComparedResource = ({ from, until, charges, reason }: NotCompared) => ({
  from: from.toISOString(),
  until: until.toISOString(),
  charges,
  reason,
});

function findingResource(finding: Finding): object {
  return {
    kind: finding.kind,
    charge_id: finding.chargeId,
    refund_id: finding.refundId,
    processor_payment_id: finding.processorPaymentId,
    processor_refund_id: finding.processorRefundId,
    here_cents: finding.hereCents,
    there_cents: finding.thereCents,
    currency: finding.currency,
    settled: finding.fixed,
  };
}
