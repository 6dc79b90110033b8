/** Inserts an ended call as the phone role does. */

import type { CallSnapshot } from '../../src/db/calls/calls.ts';
import { insertCall, updateCall } from '../../src/db/calls/calls.ts';
import type { Sql } from '../../src/db/pool.ts';
import type { Scope } from '../../src/domain/account.ts';
import type { MerchantId } from '../../src/domain/ids.ts';
import { type CallId, type CheckoutSessionId, newId } from '../../src/domain/ids.ts';

const ENDED: Omit<CallSnapshot, 'endedAt' | 'answeredAt'> = {
  sipDialogs: [],
  localContact: null,
  dialogFacts: [],
  mediaLegId: null,
  returnSipCallId: null,
  chargeId: null,
  textsLink: false,
  outcome: 'succeeded',
  reason: null,
  stage: 'ended',
  returnMode: 'refer',
  keyKind: 'telephone-event',
  codec: 'PCMU',
  packetsReceived: 2_000,
  packetsLost: 3,
  jitterMs: 1.5,
  timeline: [
    { step: 'invite', atMs: 0 },
    { step: 'answered', atMs: 80 },
    { step: 'caller hung up', atMs: 4_000 },
  ],
};

/** @param facts that replace those of a payment by telephone events */
export async function insertEndedCall(
  sql: Sql,
  of: Scope & { sessionId: CheckoutSessionId | null; merchantId?: MerchantId },
  facts: Partial<CallSnapshot> = {},
): Promise<CallId> {
  const holder = { id: newId('Call'), leaseId: 1 };
  const sip = { sipCallId: `sip-${holder.id}`, sipDialogs: [], sourceAddress: '192.0.2.1', allowsRefer: true };
  const inserted = await insertCall(sql, { ...holder, ...of, ...sip, instance: 'test' }, 1_000);
  if (inserted !== 'inserted') throw new Error(`the call was ${inserted}`);
  await updateCall(sql, holder, { ...ENDED, answeredAt: new Date(), endedAt: new Date(), ...facts });
  return holder.id;
}
