/** The port for disputes: the state of a dispute at its processor, which a notification has named. */
import type { NotifiedDispute } from '../../db/processor-notifications/inbox.ts';
import type { Unknown } from './answers.ts';
import type { ProcessorAccess } from './credentials.ts';
import type { ListItems } from './listed.ts';

/**
 * A dispute as the processor has it. `chargeId`: our charge, if the dispute names it; otherwise `notifications.chargeOf` is
 * asked. `version`: the processor's version or time of this state, which grows with each. Null if it has none: then the
 * time of asking counts. A processor has it for all of its disputes or for none.
 */
export type ReadDispute = NotifiedDispute;

interface DisputeRequest extends ProcessorAccess {
  disputeId: string;
}

/** `not_found`: the processor does not have it, or it is about no card payment. */
export type DisputeAnswer = { status: 'found'; dispute: ReadDispute } | { status: 'not_found' } | Unknown;

export interface Disputes {
  /** Never throws. */
  read(request: DisputeRequest, signal: AbortSignal): Promise<DisputeAnswer>;
  /** Absent if there is no list. */
  readonly list?: ListItems;
}
