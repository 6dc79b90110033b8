/**
 * What a webhook costs the record does not grow with what waits for an endpoint that is away, not even by the plans that were
 * made while the tables were empty.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimUnrelayed, relayEvents } from '../../../src/db/events/outbox.ts';
import { leaveLanes, recordAttempts, takeLanes } from '../../../src/db/webhooks/webhook-lanes.ts';
import { type Named, planOf, remembering } from '../../support/plans.ts';
import { type Stage, say, setStage } from './notification-harness.ts';

let stage: Stage;
let asked: ReadonlyMap<string, Named>;
beforeAll(async () => {
  stage = await setStage();
  const record = remembering(stage.database);
  asked = record.asked;
  const { id } = await stage.register('http://127.0.0.1:1/');
  await say(stage, id);
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
afterAll(() => stage.close());

it.each(['relay_events', 'take_lanes', 'record_attempts', 'leave_lanes'])(
  '%s reads no index to its end',
  async (name) => {
    const statement = asked.get(name);
    if (statement === undefined) throw new Error(`nobody has asked ${name}`);
    const nodes = await planOf(stage.database, statement);
    const scans = nodes.filter((node) => node['Index Name'] !== undefined || node['Node Type'] === 'Seq Scan');
    expect(scans).not.toEqual([]);
    expect(scans.filter((node) => node['Index Cond'] === undefined)).toEqual([]);
  },
);
