/** Finds a charge of ours in Authorize.net's lists, which have the end of its ID, and confirms it by its details. */
import type { NotFound, ProcessorAnswer } from '../port/answers.ts';
import type { LookupRequest } from '../port/charges.ts';
import { findListed, listWindow, lookUpListed } from '../vendor-api/lookup.ts';
import type { AuthorizeNet, OpenAuthorizeNet } from './client.ts';
import { faultOf } from './errors.ts';
import { detailsOrNull, readDetails, transactionsSince } from './lists.ts';
import { answerOfDetails, type Details, describedCharge, shortReference } from './transactions.ts';

/** A transaction that is not in the lists was not recorded, so nothing was taken, whether or not declines are listed. */
export function lookUpAuthorizeNet(
  open: OpenAuthorizeNet,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  const { chargeId, createdAt, askedAt, processorPaymentId = null } = request;
  return lookUpListed(
    request,
    async (observe) => {
      const api = await open(request, signal);
      const known = processorPaymentId === null ? null : await detailsOrNull(api, processorPaymentId);
      const details = known ?? (await findByReference(api, chargeId, { createdAt, askedAt }, observe));
      return details !== null && describedCharge(details)?.chargeId === chargeId ? details : null;
    },
    (details) => answerOfDetails(details, describedCharge(details)?.currency ?? '', askedAt),
    faultOf,
  );
}

/** @param id of our charge or refund */
export async function findByReference(
  api: AuthorizeNet,
  id: string,
  { createdAt, askedAt = new Date() }: { createdAt: Date; askedAt?: Date | undefined },
  onAnswer?: (answer: Pick<Response, 'headers'>) => void,
): Promise<Details | null> {
  const { from } = listWindow(createdAt);
  const items = transactionsSince(api, from, askedAt, onAnswer);
  const found = await findListed(items, ({ invoiceNumber }) => invoiceNumber === shortReference(id));
  return found === null ? null : readDetails(api, found.transId);
}
