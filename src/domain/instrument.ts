/** A caller and the cards saved for them. */
import type { ConsumerId, InstrumentId } from './ids.ts';

/** A caller, identified by phone number. */
export interface Consumer {
  id: ConsumerId;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** The parts of a saved card that may be shown and spoken. */
export interface SavedCard {
  id: InstrumentId;
  /** Upper case, e.g. `VISA`. */
  brand: string;
  lastFour: string;
  /** 1 … 12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
  isDefault: boolean;
}

/** What a saved card is charged by, as it is stored. */
export interface HandleAtRest {
  id: InstrumentId;
  /** The processor's name of the card, sealed for this card alone. */
  processorHandle: string;
  /** False for the demo's card, whose handle is no secret. */
  handleSealed: boolean;
}
