/** The port for saved cards. See processor.ts. */
import type { InstrumentId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { ProcessorCard } from './answers.ts';
import type { Credentials } from './credentials.ts';

/** A card to save, as a token from the processor's own page or SDK. */
export interface SaveCardRequest {
  /** Our ID of the card: the processor's idempotency key. */
  instrumentId: InstrumentId;
  mode: Mode;
  token: string;
  credentials: Credentials;
}

/** Saves the card of a succeeded charge with `keepsCard`. */
interface SaveChargedRequest extends Omit<SaveCardRequest, 'token'> {
  processorPaymentId: string;
}

/** `refused`: an unknown token, or a card that cannot be saved. */
export type SavedCardAnswer = ({ status: 'saved' } & ProcessorCard) | { status: 'refused' | 'unavailable' };

/** The saved cards of a processor. These functions never throw: a broken connection is `unavailable`. */
export interface CardWallet {
  save(request: SaveCardRequest, signal: AbortSignal): Promise<SavedCardAnswer>;
  saveCharged(request: SaveChargedRequest, signal: AbortSignal): Promise<SavedCardAnswer>;
  /** Idempotent: a card that was deleted before is `gone`. */
  forget(request: ForgetCardRequest, signal: AbortSignal): Promise<{ status: 'gone' | 'unavailable' }>;
}

export interface ForgetCardRequest {
  handle: string;
  mode: Mode;
  credentials: Credentials;
}
