/** The lookup of a charge at Adyen: by its signed notifications, because Adyen has no API for it. */
import {
  type Declined,
  isApproved,
  type NotFound,
  notAuthenticated,
  type ProcessorAnswer,
  unknown,
} from '../port/answers.ts';
import type { LookupRequest } from '../port/charges.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { answerOf, authorisationOf, inAccount, type NotifiedOutcomes } from './outcomes.ts';
import type { PayerAnswers } from './payer-answers.ts';
import { readSavedCard } from './wallet.ts';

/**
 * The decline of a charge whose payer gave up at the bank. Inferred, so that the charge is looked up again: "If a shopper
 * completed the payment but failed to return to your website or app, you will receive the outcome of the payment in a
 * notification webhook" (docs.adyen.com/online-payments/api-only/handling-redirects).
 */
export const GIVEN_UP: Declined = { ...notAuthenticated('given_up', null), isInferred: true };

interface Sources {
  open: OpenAdyen;
  /** Null if no notifications are taken. */
  outcomes: NotifiedOutcomes | null;
  answers: PayerAnswers | undefined;
}

/** A missing notification says nothing: it may still come. */
export async function lookUpAdyen(
  { open, outcomes, answers }: Sources,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  try {
    const api = await open(request, signal);
    const all = inAccount((await outcomes?.of(request.chargeId, null)) ?? [], api.settings.merchant_account);
    const authorisation = authorisationOf(all, request.chargeId);
    if (authorisation === null) {
      const answered = await answers?.of(request.chargeId);
      return answered?.answerHash === null ? GIVEN_UP : unknown('not_notified');
    }
    const answer = answerOf(authorisation, all);
    if (!request.isVerification || !isApproved(answer)) return answer;
    const savedCard = await readSavedCard(api, request.chargeId);
    return savedCard === null ? unknown('no_card') : { ...answer, savedCard };
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}
