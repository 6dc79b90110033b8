/**
 * Pulls disputes and payouts from the processor's lists, once a day for each connection: notifications can be missed, or never
 * set up. Each new state becomes a row of the inbox, as if it had been notified, and is read and written from there. So pulling
 * again changes nothing, and several processes can pull at once.
 */
import { insertNotification, type NotifiedConnection } from '../../db/processor-notifications/inbox.ts';
import { TimeLimit, withinLimit } from '../../lib/concurrency/time-limit.ts';
import type { ListItems, ListRequest } from '../port/listed.ts';
import { RecordsUnreadable } from '../port/records.ts';
import { idOrNull } from '../shared/checked-answers.ts';
import { credentialsOf, type PaymentDeps, processorOf } from '../shared/deps.ts';

type Deps = Pick<PaymentDeps, 'database' | 'processors' | 'credentialsFor' | 'log'>;
type Connection = Omit<NotifiedConnection, 'secrets'>;
type Kind = 'dispute' | 'payout';

/** Much longer than a day, so that a few days without a worker are made up for. */
const SINCE_MS = 10 * 24 * 60 * 60_000;
const LIST_LIMIT_MS = 5 * 60_000;
/** Of one kind and connection in a day. */
const MOST_ITEMS = 1_000;

/** Never throws because of the processor. @param stop ends the waits */
export async function pullListed(deps: Deps, connection: Connection, stop: AbortSignal): Promise<void> {
  const processor = processorOf(deps, connection.processor);
  const lists: [Kind, ListItems | undefined][] = [
    ['dispute', processor?.disputes?.list],
    ['payout', processor?.payouts?.list],
  ];
  if (processor === undefined || lists.every(([, list]) => list === undefined)) return;
  const credentials = await credentialsOf(deps, processor, connection);
  if (credentials === null) return;
  const request = { mode: connection.mode, credentials, since: new Date(Date.now() - SINCE_MS) };
  for (const [kind, list] of lists) {
    if (list !== undefined && !stop.aborted) await pullKind(deps, connection, kind, list, request, stop);
  }
}

async function pullKind(
  deps: Deps,
  connection: Connection,
  kind: Kind,
  list: ListItems,
  request: ListRequest,
  stop: AbortSignal,
): Promise<void> {
  const { merchantId, processor } = connection;
  const about = { merchantId, processor, kind };
  try {
    const pulled = await withinLimit(
      LIST_LIMIT_MS,
      (signal) => pullItems(deps, connection, kind, list(request, signal), signal),
      stop,
    );
    if (pulled.changed > 0) deps.log.info({ ...about, ...pulled }, 'disputes or payouts found at the processor');
    if (pulled.listed === MOST_ITEMS) deps.log.warn(about, 'too many disputes or payouts to list them all');
  } catch (error) {
    if (!(error instanceof RecordsUnreadable || error instanceof TimeLimit)) throw error;
    const cause = error instanceof RecordsUnreadable ? error.reason : 'timeout';
    deps.log.warn({ ...about, cause }, 'disputes or payouts could not be listed at the processor');
  }
}

async function pullItems(
  { database }: Deps,
  connection: Connection,
  kind: Kind,
  items: ReturnType<ListItems>,
  signal: AbortSignal,
): Promise<{ listed: number; changed: number }> {
  const inbox = { ...connection, secrets: [] };
  let [listed, changed] = [0, 0];
  for await (const { id: listedId, state } of items) {
    if (signal.aborted) throw new RecordsUnreadable('stopped');
    const id = idOrNull(listedId);
    const event = { id: `listed:${kind}:${listedId}:${state}`.slice(0, 200), type: `${kind}.listed` };
    const subject = { paymentId: null, chargeId: null, disputeId: null, [`${kind}Id`]: id };
    if (id !== null && (await insertNotification(database, inbox, { ...event, subject }))) changed += 1;
    listed += 1;
    if (listed === MOST_ITEMS) break;
  }
  return { listed, changed };
}
