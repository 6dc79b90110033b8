/** `ringkey media`: lists the FreeSWITCH servers, and keeps new calls away from one. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  drainMediaServer,
  type MediaReport,
  readMediaDrains,
  readMediaReports,
  undrainMediaServer,
} from '../db/calls/media-servers.ts';
import type { Database, Sql } from '../db/pool.ts';
import { waitUntil } from '../lib/concurrency/time-limit.ts';
import { jsonOption } from './arguments.ts';
import { type CommandContext, CommandFailed, commandActor, printReport, type Report } from './context.ts';
import { type MediaServer, mediaServersFrom, processesWithoutOther, serverNamed } from './media-servers.ts';
import { withDatabase } from './with-database.ts';

interface DrainOptions {
  force?: true;
  /** In minutes. */
  wait?: number;
}

/** Phone processes look every two seconds, and without calls at least every ten. */
const CONFIRM_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 500;
const DEFAULT_WAIT_MINUTES = 90;
const MAX_WAIT_MINUTES = 1_440;

const NOTES = `
A drained server gets no new calls, in no phone process, until 'ringkey media undrain'. Its live calls go on.
The host is as the phone processes know it, with or without the port: see 'ringkey media list'.`;

export function addMediaCommands(program: Command, context: CommandContext): void {
  const media = program.command('media').description('list FreeSWITCH servers, keep new calls away from one');
  media
    .command('list')
    .description('list the media servers of all phone processes, with their calls')
    .addOption(jsonOption())
    .action(({ json }: { json?: true }) => printReport(context, json, listServers));
  media
    .command('drain')
    .description('give a media server no new calls')
    .argument('<host>')
    .addOption(
      new Option('--wait [minutes]', 'wait until it has no calls')
        .preset(String(DEFAULT_WAIT_MINUTES))
        .argParser(parseWaitMinutes),
    )
    .option('--force', 'also if a phone process then has no media server')
    .addHelpText('after', NOTES)
    .action((host: string, options: DrainOptions) =>
      withDatabase(context.readConfig(), (database) => drain(database, host, options)),
    );
  media
    .command('undrain')
    .description('give a drained media server new calls again')
    .argument('<host>')
    .action((host: string) => withDatabase(context.readConfig(), (database) => undrain(database, host)));
}

function parseWaitMinutes(text: string): number {
  const minutes = Number(text);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_WAIT_MINUTES) {
    throw new InvalidArgumentError(`It must be a whole number of minutes from 1 to ${MAX_WAIT_MINUTES}.`);
  }
  return minutes;
}

async function listServers(database: Database): Promise<Report> {
  const servers = await readServers(database);
  const lines = servers.length === 0 ? ['no media servers: no phone process is running'] : servers.map(serverLine);
  return { json: { media_servers: servers.map(serverJson) }, lines };
}

async function readServers(sql: Sql): Promise<MediaServer[]> {
  return mediaServersFrom(await readMediaReports(sql), await readMediaDrains(sql));
}

async function drain(database: Database, name: string, { force, wait }: DrainOptions): Promise<void> {
  const { host } = serverNamed(name, await readServers(database));
  const isNew = await drainMediaServer(database, commandActor(), host, async (sql, drained) => {
    const alone = processesWithoutOther(host, await readMediaReports(sql), drained);
    if (alone.length > 0 && force !== true) {
      throw new CommandFailed(
        `${host} is the only media server of ${alone.join(', ')}. With --force it is drained, and new calls there get 503.`,
      );
    }
  });
  const reports = await waitForConfirmation(database, host, true);
  console.log(`${host}  ${isNew ? 'drained' : 'was drained before'}  ${callsLeft(reports)}`);
  if (wait !== undefined) await waitForCalls(database, host, wait);
}

async function undrain(database: Database, name: string): Promise<void> {
  const { host } = serverNamed(name, await readServers(database));
  if (!(await undrainMediaServer(database, commandActor(), host))) throw new CommandFailed(`${host} is not drained`);
  await waitForConfirmation(database, host, false);
  console.log(`${host}  gets new calls`);
}

/** Waits until each phone process that has this server has read the change. @throws CommandFailed if one does not */
async function waitForConfirmation(sql: Sql, host: string, isDrained: boolean): Promise<MediaReport[]> {
  let reports: MediaReport[] = [];
  const isConfirmed = await waitUntil(CONFIRM_LIMIT_MS, LOOK_EVERY_MS, async () => {
    reports = (await readMediaReports(sql)).filter((report) => report.host === host);
    return reports.every((report) => report.isDrained === isDrained);
  });
  if (isConfirmed) return reports;
  const late = reports.filter((report) => report.isDrained !== isDrained).map(({ instance }) => instance);
  throw new CommandFailed(`The change is stored, but not confirmed by ${late.join(', ')}: is that process cut off?`);
}

/** Prints each change of the number of calls. @throws CommandFailed if some are left at the limit */
async function waitForCalls(sql: Sql, host: string, minutes: number): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  let printed = '';
  for (;;) {
    const reports = (await readMediaReports(sql)).filter((report) => report.host === host);
    const left = callsLeft(reports);
    if (reports.every(({ calls }) => calls === 0)) break;
    if (left !== printed) console.log(left);
    printed = left;
    if (performance.now() > deadline) throw new CommandFailed(`${host} still has ${left}`);
    await delay(LOOK_EVERY_MS);
  }
  console.log(`${host} has no calls`);
}

function callsLeft(reports: readonly MediaReport[]): string {
  return callCount(reports.reduce((sum, { calls }) => sum + calls, 0));
}

function callCount(calls: number): string {
  return `${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

function serverJson({ host, status, calls, processes, drain: drained }: MediaServer): object {
  return {
    host,
    status,
    calls,
    phone_processes: processes,
    drained_at: drained?.drainedAt.toISOString() ?? null,
    drained_by: drained?.drainedBy ?? null,
  };
}

function serverLine({ host, status, calls, processes, drain: drained }: MediaServer): string {
  const since = drained === null ? [] : [`since ${drained.drainedAt.toISOString()} by ${drained.drainedBy}`];
  const of = processes.length === 0 ? 'no phone process' : processes.join(', ');
  return [host, status, callCount(calls), of, ...since].join('  ');
}
