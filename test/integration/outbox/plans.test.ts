/**
 * What a webhook costs the record does not grow with what waits for an endpoint that is away, not even by the plans that were
 * made while the tables were empty.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimUnrelayed, relayEvents } from '../../../src/db/events/outbox.ts';
import { leaveLanes, recordAttempts, takeLanes } from '../../../src/db/webhooks/webhook-lanes.ts';
import { type Named, planOf, remembering } from '../../support/plans.ts';
import { type NotificationHarness, insertTestEvents, createNotificationHarness } from './notification-harness.ts';

let harness: NotificationHarness;
let asked: ReadonlyMap<string, Named>;
beforeAll(async () => {
  harness = await createNotificationHarness();
  const record = remembering(harness.database);
  asked = record.asked;
  const { id } = await harness.register('http://127.0.0.1:1/');
  await insertTestEvents(harness, id);
  const events = (await claimUnrelayed(record.sql, 1)) ?? [];
  await relayEvents(
    record.sql,
    events.map((event) => ({ id: event.id, body: '{}' })),
  );
  const claim = { id, lease: 'ours' };
  await takeLanes(record.sql, [claim], 1);
  await recordAttempts(record.sql, [{ ...claim, attempts: [], circuit: { failures: 0, pauseMs: 0 }, goesOn: true }], 1);
  await leaveLanes(record.sql, [claim]);
});
afterAll(() => harness.close());

it.each(['relay_events', 'take_lanes', 'record_attempts', 'leave_lanes'])(
  '%s reads no index to its end',
  async (name) => {
    const statement = asked.get(name);
    if (statement === undefined) throw new Error(`nobody has asked ${name}`);
    const nodes = await planOf(harness.database, statement);
    const scans = nodes.filter((node) => node['Index Name'] !== undefined || node['Node Type'] === 'Seq Scan');
    expect(scans).not.toEqual([]);
    expect(scans.filter((node) => node['Index Cond'] === undefined)).toEqual([]);
  },
);
