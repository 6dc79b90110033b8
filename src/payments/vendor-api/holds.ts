/** Captures and voids at vendors' APIs: one request, and the hold's state if the vendor refuses it. */
import type { HoldFailure } from '../../domain/hold.ts';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldAnswer, HoldState } from '../port/holds.ts';
import { causeOf, type Fault } from './faults.ts';

/** Reasons of refused captures and voids, by the vendor's code. */
export type HoldFailures = Readonly<Record<string, HoldFailure>>;

interface HoldVendor {
  /** Captures or voids. */
  change(): Promise<HoldState | Unknown>;
  read(): Promise<HoldState | Unknown>;
  faultOf(error: unknown): Fault;
  failures: HoldFailures;
}

/**
 * A vendor that refuses a change may have made it before, or the hold has expired: its state says so. If the hold is
 * still held, the vendor's code says why it refused.
 */
export async function changeHold({ change, read, faultOf, failures }: HoldVendor): Promise<HoldAnswer> {
  try {
    return notHeld(await change());
  } catch (error) {
    const fault = faultOf(error);
    switch (fault.kind) {
      case 'credentials':
        return { status: 'refused', reason: 'credentials_rejected', processorCode: null };
      case 'declined':
      case 'refused':
        return afterRefusal(await read(), fault.code, failures);
      case 'unknown':
      case 'not_connected':
      case 'rate_limit':
        // It may have been done, or can be later: the resolver reads the state and sends it again.
        return unknown(causeOf(fault));
    }
  }
}

function afterRefusal(state: HoldState | Unknown, code: string | null, failures: HoldFailures): HoldAnswer {
  const reason = failures[code ?? ''];
  // An unknown payment has no state to read.
  if (state.status === 'held' || (state.status === 'unknown' && reason === 'not_capturable')) {
    return { status: 'refused', reason: reason ?? 'refused', processorCode: code };
  }
  return state;
}

const notHeld = (state: HoldState | Unknown): HoldAnswer => (state.status === 'held' ? unknown('still_held') : state);

/** Reads the state of a hold. @param read throws the vendor's errors */
export async function readHold(
  read: () => Promise<HoldState | Unknown>,
  faultOf: (error: unknown) => Fault,
): Promise<HoldState | Unknown> {
  try {
    return await read();
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}
