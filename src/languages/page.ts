/** What the pay page says. Amounts, dates and names come in as text. Types only: the browser's script imports them. */

/** A state without a form: its heading, and what it means for the payer. */
export interface Note {
  heading: string;
  text: string;
}

/** The fields of the card form. */
export type FieldName = 'number' | 'expiry' | 'security_code' | 'postal_code';

/** What is wrong with a field before anything is sent. */
export type Fault =
  | 'number_missing'
  | 'number_incomplete'
  | 'number_wrong'
  | 'number_not_accepted'
  | 'expiry_missing'
  | 'expiry_wrong'
  | 'expiry_past'
  | 'security_code_missing'
  | 'security_code_wrong'
  | 'postal_code_missing'
  | 'postal_code_wrong'
  /** The box that must be ticked to save the card. */
  | 'consent_missing';

/** What is wrong with a texted code: not the code; expired or tried too often; too many codes were sent. */
export type CodeFault = 'wrong' | 'over' | 'limit';

/** What the page shows of the call beside it. */
export type CallPart = 'asking' | 'keying' | 'paying' | 'waiting' | 'leaving';

/** What the page's script shows: `data-words` of the form. */
export interface BrowserWords {
  /** While the payment is processed. */
  working: string;
  /** It takes longer. */
  still: string;
  /** The request or its response was lost, and is sent again. */
  offline: string;
  /** It is not resent automatically: the payer presses the button again. */
  unsent: string;
  /** The vendor's script has not loaded yet. */
  slow: string;
  /** The script was blocked or failed. The payer can use the phone's keypad. */
  blocked: string;
  /** The bank's challenge did not appear. */
  not_shown: string;
  incomplete: string;
  declined: string;
  not_verified: string;
  unavailable: string;
}

export interface PageWords {
  /** The language's own name. */
  name: string;
  language: string;
  testMode: string;
  /** Which card works in test mode. */
  testCard: string;
  pay: (business: string) => string;
  payButton: (amount: string) => string;
  /** Instead of them, with manual capture. */
  hold: (business: string) => string;
  holdButton: (amount: string) => string;
  /** The sandbox's fake wallet. */
  testWallet: string;
  forNumber: (lastTwo: string) => string;
  until: (when: string) => string;
  /** Before a phone number and an e-mail address. */
  support: string;
  /** Links to the account's own pages. */
  terms: string;
  privacy: string;
  order: string;
  items: string;
  total: string;
  /** The choice of a part, if the merchant takes parts. */
  part: {
    heading: string;
    all: (amount: string) => string;
    label: string;
    atLeast: (minimum: string) => string;
    use: string;
    fault: (minimum: string, amount: string) => string;
  };
  /** The choice of a tip, if the merchant offers tips. */
  tip: { heading: string; none: string; of: (percent: string, amount: string) => string };
  card: string;
  fields: Record<FieldName, { label: string; hint: string | null }>;
  faults: Record<Fault, string>;
  faultsHeading: string;
  /** Beside the checkbox that saves the card. These words are stored as the payer's consent. */
  keepCard: string;
  encrypted: string;
  /** The saved cards, shown after a texted code. */
  saved: {
    heading: string;
    /** Instead of the heading, for payers who may have no saved card. */
    question: string;
    offer: (lastTwo: string) => string;
    ask: string;
    sent: (lastTwo: string) => string;
    code: string;
    show: string;
    again: string;
    faults: Record<CodeFault, string>;
    none: string;
    /** A button. `card` as in `receipt.cardEnding`; `expiry`: `04/29`. */
    payWith: (amount: string, card: string, expiry: string) => string;
    /** Instead of it, with manual capture. */
    holdWith: (amount: string, card: string, expiry: string) => string;
  };
  /** A processor's own card fields need JavaScript. */
  withoutScript: string;
  /** The same if the card can be keyed on the phone instead. */
  withoutScriptKeypad: string;
  loadingFields: string;

  working: Note;
  action: Note;
  paid: { heading: string; text: (business: string) => string };
  /** With manual capture: the amount is held and not taken. */
  held: { heading: string; text: (amount: string, business: string) => string };
  /** Next to the form, before such a payment. */
  holdNotice: (business: string) => string;
  declined: { heading: string };
  /** No issuer decided: the processor could not process the card, or rejects the merchant's payments. */
  notTaken: { heading: string };
  noMoreAttempts: { heading: string };
  pending: { heading: string };
  orderPending: { heading: string };
  onPhone: Note;
  onCall: Record<CallPart, string>;
  alreadyPaid: Note;
  alreadyPaidInPart: Note;
  /** The amount of the order is held by another payment. */
  alreadyHeld: Note;
  expired: { heading: string; text: (business: string) => string };
  nothingToPay: Note;
  gone: Note;
  notFound: Note;
  tooMany: Note;
  /** The form came from another site, or from no page at all. */
  notOurs: Note;
  failed: Note;

  /** Another window, or the phone, was first. */
  otherAttempt: string;
  /** Nothing was sent. */
  notStarted: string;
  /** The browser restored a form that was sent before and declined. It was not sent again. */
  sentBefore: string;
  /** The bank's question, which the sandbox simulates. */
  confirm: string;
  doNotConfirm: string;
  browser: BrowserWords;
  checkAgain: string;
  toThePage: string;
  continueTo: (host: string) => string;
  followsSoon: string;
  stay: string;
  receipt: {
    caption: string;
    amount: string;
    /** The part of the amount that is a tip. */
    tip: string;
    /** What a partial payment leaves. */
    remaining: string;
    to: string;
    /** Instead of it, if nothing was paid: the amount is held, or only a card was saved. */
    business: string;
    card: string;
    cardEnding: (brand: string | null, lastFour: string) => string;
    /** For a payment from a bank account, instead of the card. */
    account: string;
    accountEnding: (lastFour: string | null) => string;
    when: string;
    refunded: string;
    /** The processor has not confirmed the refund. */
    refundPending: string;
    reference: string;
  };
}
