/** Charges that were reported as failed although the sandbox took them. */
import { findCharge } from '../../src/db/charges/charges.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { recordLateSuccess } from '../../src/payments/charges/late-success.ts';
import { NOT_RECEIVED, settleCharge } from '../../src/payments/charges/settle-charge.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { createRecordingLog } from '../integration/payments/test-payments.ts';
import { createCharge } from './refunds-api.ts';
import type { TestApi } from './test-api.ts';

interface FailedCharge {
  charge: string;
  session: string;
  /** The sandbox turns out to have taken it. */
  find(): Promise<void>;
}

/** A charge that the sandbox has taken, and that was reported as failed. */
export async function chargeCalledFailed(api: TestApi): Promise<FailedCharge> {
  const { id, session } = await createCharge(api, 'hangs_taken');
  const deps = { database: api.database, log: createRecordingLog() };
  const charge = await findCharge(api.database, id as ChargeId);
  if (charge === null) throw new Error('no charge');
  await settleCharge(deps, charge, NOT_RECEIVED);
  const find = async () => {
    const request = { chargeId: charge.id, mode: charge.mode, createdAt: charge.createdAt, credentials: {} };
    const found = await createSandbox(api.database).lookUp(request, new AbortController().signal);
    if (found.status !== 'succeeded') throw new Error(`the sandbox: ${found.status}`);
    await recordLateSuccess(deps, charge, found);
  };
  return { charge: id, session, find };
}

/** A late charge that needs attention. */
export async function lateCharge(api: TestApi): Promise<{ charge: string; session: string }> {
  const { charge, session, find } = await chargeCalledFailed(api);
  await find();
  return { charge, session };
}

/** A late charge, and the charge of the same session that was paid before it was found. */
export async function lateDuplicate(api: TestApi): Promise<{ charge: string; other: string; session: string }> {
  const { charge, session, find } = await chargeCalledFailed(api);
  const body = { checkout_session_id: session, instrument_id: 'card_demo_visa' };
  const paid = await api.post('/v1/charge', body);
  if (paid.status !== 200) throw new Error(paid.text);
  await find();
  return { charge, other: String(paid.body.charge_id), session };
}
