/** A caller, with what an account knows of the number. */
import type { ConsumerId, InstrumentId, MerchantId } from './ids.ts';
import type { SavedCard } from './instrument.ts';

export interface CallerProfile {
  /** E.164. */
  phone: string;
  /** There is a caller or a checkout session with this number. */
  isKnown: boolean;
  /** Null: the caller has no saved card and no note. */
  id: ConsumerId | null;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  note: string | null;
  noteWrittenAt: Date | null;
  /** Newest first, also expired ones. */
  cards: (SavedCard & { merchantId: MerchantId; businessName: string })[];
  /** Newest first. */
  consents: CallerConsent[];
}

/** That a card may be saved. */
interface CallerConsent {
  merchantId: MerchantId;
  /** `rest`: the integrator asked. */
  channel: 'phone' | 'page' | 'rest';
  /** BCP 47. */
  language: string | null;
  /** Null for `rest` if the integrator did not send its sentence. */
  wording: string | null;
  /** `kept`: the card was saved. */
  status: 'agreed' | 'kept' | 'not_kept';
  cardId: InstrumentId | null;
  /** ISO 8601. */
  agreedAt: string;
}
