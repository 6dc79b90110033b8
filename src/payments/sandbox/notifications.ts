/** The sandbox's notifications, in a form of its own, for tests and demos: `Sandbox-Signature: t=…,v1=…`. */
import { z } from 'zod';
import type { Sql } from '../../db/pool.ts';
import { parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { ProcessorNotification, ProcessorNotifications } from '../port/notifications.ts';
import { isTimedHmac } from '../vendor-api/signatures.ts';
import { sandboxHistories } from './history.ts';
import { findReference } from './ledger.ts';

const EVENT = z.object({
  id: z.string().min(1).max(200),
  type: z.string().max(100),
  payment_id: z.string().nullish(),
  dispute_id: z.string().nullish(),
  payout_id: z.string().nullish(),
});

export function sandboxNotifications(sql: Sql): ProcessorNotifications {
  return {
    secretForm: /^[\x21-\x7e]{16,200}$/,
    isSigned: (secret, { body, header, receivedAt }) =>
      secret.reveal((key) => isTimedHmac(key, body, header('sandbox-signature'), receivedAt)),
    read: readEvent,
    histories: sandboxHistories(sql),
    async chargeOf({ paymentId }) {
      const reference = await findReference(sql, paymentId).catch(() => undefined);
      if (reference === undefined) return unknown('database');
      const chargeId = parseId('Charge', reference ?? '');
      return chargeId === null ? { status: 'not_found' } : { status: 'found', chargeId };
    },
  };
}

function readEvent(body: unknown): ProcessorNotification | null {
  const { data } = EVENT.safeParse(body);
  if (data === undefined) return null;
  const { id, type, payment_id: paymentId = null, dispute_id: disputeId = null, payout_id: payoutId = null } = data;
  const isAbout = paymentId !== null || payoutId !== null;
  return { id, type, subject: isAbout ? { paymentId, chargeId: null, disputeId, payoutId } : null };
}
