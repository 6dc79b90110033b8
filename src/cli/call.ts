/** `ringkey call`: places a test call to a running service. `call list` and `call show` read recorded calls. */
import { type Command, Option } from 'commander';
import { type CallResource, callResource, callWithTimelineResource } from '../contract/calls.ts';
import { type CallFilter, findAnyCall, listCalls } from '../db/calls/call-lists.ts';
import type { Database } from '../db/pool.ts';
import type { CallId } from '../domain/ids.ts';
import { OUTCOME_KINDS, type OutcomeKind } from '../domain/outcome.ts';
import { callOptionsOf, createCallCommand } from '../local/scripted-caller/options.ts';
import { accountOption, idArgument, jsonOption, modeFilterOption } from './arguments.ts';
import { PROCESSORS_WITH_CARDS, withTestCards } from './call-cards.ts';
import { type CommandContext, printReport, type Report, requireFound } from './context.ts';
import { findServiceUrl } from './find-service.ts';
import { type ListOptions, listReport, readModes } from './lists.ts';

export function addCallCommand(program: Command, context: CommandContext): void {
  const call = createCallCommand().copyInheritedSettings(program);
  call.addOption(
    new Option(
      '--processor <name>',
      'enter the test cards of this processor, at a merchant that is connected to it',
    ).choices(PROCESSORS_WITH_CARDS),
  );
  call.action(async () => {
    // Loaded only now: the caller uses the softswitch's SIP and RTP, which the service itself never loads.
    const { placeCallAndReport } = await import('../local/scripted-caller/command.ts');
    const config = context.readConfig();
    const baseUrl = await findServiceUrl(config);
    const { processor } = call.opts<{ processor?: string }>();
    const options = callOptionsOf(call);
    const entered = processor === undefined ? options : withTestCards(options, processor);
    context.exitCode = await placeCallAndReport(entered, config, baseUrl, process.argv[1] ?? '');
  });
  addCallListCommands(call, context);
  program.addCommand(call);
}

const EVERY_CALL: CallFilter = {
  after: null,
  before: null,
  merchantId: null,
  status: null,
  outcome: null,
  orderId: null,
  callers: null,
  platformCallId: null,
  lastFour: null,
  sessionId: null,
  reached: null,
};

interface CallListOptions extends ListOptions {
  outcome?: OutcomeKind;
  live?: true;
}

/** `ringkey call list` and `ringkey call show`: the calls of an account, and one call step by step. */
function addCallListCommands(call: Command, context: CommandContext): void {
  call
    .command('list')
    .description('list the newest calls of an account')
    .addOption(accountOption())
    .addOption(modeFilterOption())
    .addOption(new Option('--outcome <outcome>', 'only calls with this outcome').choices(OUTCOME_KINDS))
    .option('--live', 'only calls that are live now')
    .addOption(jsonOption())
    .action((_own, command: Command) => {
      const options = command.opts<CallListOptions>();
      return printReport(context, options.json, (database) => showCalls(database, options));
    });
  call
    .command('show')
    .description('show one call step by step')
    .addArgument(idArgument('Call'))
    .addOption(jsonOption())
    .action((id: CallId, _own, command: Command) =>
      printReport(context, command.opts<{ json?: true }>().json, (database) => showCall(database, id)),
    );
}

async function showCalls(database: Database, options: CallListOptions): Promise<Report> {
  const filter: CallFilter = {
    ...EVERY_CALL,
    outcome: options.outcome ?? null,
    status: options.live === true ? 'live' : null,
  };
  const calls = await readModes(options, (scope, page) => listCalls(database, scope, filter, page));
  const resources = calls.map(callResource);
  return listReport('calls', resources, resources.map(callLine));
}

function callLine(call: CallResource): string {
  const end = call.outcome === null ? `live, ${call.stage ?? 'stage unknown'}` : outcomeOf(call);
  return [call.created_at, call.call_id, call.environment, call.merchant_id ?? 'no session', end].join('  ');
}

const outcomeOf = ({ outcome, reason }: CallResource) => `${outcome}${reason === null ? '' : ` (${reason})`}`;

async function showCall(database: Database, id: CallId): Promise<Report> {
  const call = callWithTimelineResource(requireFound(await findAnyCall(database, id), 'call'));
  const facts: [string, string | number | null][] = [
    ['session', call.checkout_session_id],
    ['merchant', call.merchant_id],
    ['mode', call.environment],
    ['order', call.order_id],
    ['platform call', call.platform_call_id],
    ['outcome', call.outcome === null ? `live, ${call.stage}` : outcomeOf(call)],
    ['charge', call.charge_id],
    ['return route', call.return_route],
    ['SIP Call-ID', call.sip_call_id],
    ['return Call-ID', call.return_sip_call_id],
    ['keys', call.key_kind],
    ['codec', call.codec],
    ['packets lost', call.packets_lost === null ? null : `${call.packets_lost} of ${call.packets_received}`],
    ['jitter', call.jitter_ms === null ? null : `${call.jitter_ms} ms`],
  ];
  const known = facts.filter(([, value]) => value !== null);
  return {
    json: call,
    lines: [
      `${call.call_id}  ${call.created_at}`,
      ...known.map(([name, value]) => `  ${name.padEnd(14)} ${value}`),
      '',
      ...call.timeline.map(({ step, at_ms }) => `  ${(at_ms / 1_000).toFixed(3).padStart(9)} s  ${step}`),
    ],
  };
}
