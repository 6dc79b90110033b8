/** `ringkey events resend`: sends the webhooks of events again, through the database or a running service. */
import { Argument, type Command } from 'commander';
import { directDatabaseUrl } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { resendEvents } from '../db/events/outbox.ts';
import { openDatabase } from '../db/pool.ts';
import type { EventId } from '../domain/ids.ts';
import { CannotStart } from '../lib/start-error.ts';
import { idParser } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { findServiceUrl } from './find-service.ts';
import { COMMAND_LIMITS } from './with-database.ts';

const REQUEST_LIMIT_MS = 10_000;
const NOTES = `
If DATABASE_URL is set, the command uses that database. Otherwise it asks the service that runs on this machine.
Set RINGKEY_API_KEY to a key of the events' account; events of the demo need none.`;

export function addEventsCommands(program: Command, context: CommandContext): void {
  const parse = idParser('Event');
  program
    .command('events')
    .description('resend webhooks')
    .command('resend')
    .description('resend the webhooks of events')
    .addArgument(
      new Argument('<event-id...>').argParser((text, others: readonly EventId[] = []) => [...others, parse(text)]),
    )
    .addHelpText('after', NOTES)
    .action(async (ids: readonly EventId[]) => {
      const found = await resend(context.readConfig(), ids);
      for (const id of ids) console.log(`${id}  ${found.has(id) ? 'queued again' : 'not found'}`);
      context.exitCode = ids.every((id) => found.has(id)) ? 0 : 1;
    });
}

/** @returns the events that were found */
function resend(config: Config, ids: readonly EventId[]): Promise<ReadonlySet<string>> {
  const url = directDatabaseUrl(config);
  return url === undefined ? resendByRest(config, ids) : resendByDatabase(url, ids);
}

async function resendByDatabase(url: string, ids: readonly EventId[]): Promise<ReadonlySet<string>> {
  const onIdleError = (error: Error) => console.error(error.message);
  const database = openDatabase({ url, maxConnections: 1, limits: COMMAND_LIMITS, onIdleError });
  try {
    return new Set(await resendEvents(database, ids));
  } finally {
    await database.close();
  }
}

async function resendByRest(config: Config, ids: readonly EventId[]): Promise<ReadonlySet<string>> {
  const key = config.RINGKEY_API_KEY;
  const base = await findServiceUrl(config);
  const found = new Set<string>();
  for (const id of ids) {
    const response = await fetch(`${base}/v1/events/${id}/resend`, {
      method: 'POST',
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    }).catch((error: Error) => {
      throw new CannotStart(`No response from ${base} (${error.message}): start the service, or set DATABASE_URL.`);
    });
    if (response.ok) found.add(id);
    else if (response.status !== 404)
      throw new CannotStart(`The service returned ${response.status}: ${await response.text()}`);
  }
  return found;
}
