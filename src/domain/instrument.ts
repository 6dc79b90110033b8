/** A caller and the caller's saved cards. */
import type { ConsumerId, InstrumentId } from './ids.ts';

/** A caller, identified by phone number. */
export interface Consumer {
  id: ConsumerId;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** The parts of a saved card that can be shown and spoken. */
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

/** How to charge a saved card, as stored. */
export interface HandleAtRest {
  id: InstrumentId;
  /** The processor's name for the card, encrypted for this card alone. */
  processorHandle: string;
  /** False for the demo's card, whose handle is not secret. */
  handleSealed: boolean;
}
