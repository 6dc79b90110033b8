/** The lookup of a charge at Adyen: by its signed notifications, because Adyen has no API for it. */
import { isApproved, type NotFound, type ProcessorAnswer, unknown } from '../answers.ts';
import type { LookupRequest } from '../ports.ts';
import { causeOf } from '../vendor-faults.ts';
import type { OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { answerOf, authorisationOf, inAccount, type NotifiedOutcomes } from './outcomes.ts';
import { readSavedCard } from './wallet.ts';

/** A missing notification says nothing: it may still come. @param outcomes null if none are taken */
export async function lookUpAdyen(
  open: OpenAdyen,
  outcomes: NotifiedOutcomes | null,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  try {
    const api = await open(request, signal);
    const all = inAccount((await outcomes?.of(request.chargeId, null)) ?? [], api.settings.merchant_account);
    const authorisation = authorisationOf(all, request.chargeId);
    if (authorisation === null) return unknown('not_notified');
    const answer = answerOf(authorisation, all);
    if (!request.isVerification || !isApproved(answer)) return answer;
    const savedCard = await readSavedCard(api, request.chargeId);
    return savedCard === null ? unknown('no_card') : { ...answer, savedCard };
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}
