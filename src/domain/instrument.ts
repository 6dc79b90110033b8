/** A caller and the cards saved for them. */
import type { ConsumerId, InstrumentId } from './ids.ts';

/** Somebody who calls, by number. */
export interface Consumer {
  id: ConsumerId;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** A saved card as it may be shown and spoken of. */
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
