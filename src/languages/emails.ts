/** What receipts by email say. Amounts and names come in as text. The labels of the rows are those of the pay page. */

export interface EmailNote {
  subject: string;
  heading: string;
  text: string;
}

type NoteOf = (business: string, amount: string) => EmailNote;

export interface EmailWords {
  receipt: NoteOf;
  /** An amount was held on the card, and not charged. */
  hold: NoteOf;
  /** For a caller who was left in doubt: nothing was charged. */
  not_charged: NoteOf;
  /** For a caller who was told that nothing was charged: it was, after all. */
  late_receipt: NoteOf;
  /** For a caller who got a receipt for a bank debit: the bank has returned it since. */
  debit_returned: NoteOf;
  /** For a caller who got a receipt: the amount could not be taken after all. */
  not_collected: NoteOf;
  /** Instead of receipt and late_receipt, if a card was only saved: how to have it removed. */
  card_saved: NoteOf;
  /** Instead of not_charged. */
  card_not_saved: NoteOf;
  /** The label of the tip, which is a part of the amount. */
  tip: string;
  /** A label and its value, in the plain text. */
  row: (label: string, value: string) => string;
  /** Why the caller gets the email. */
  footer: (business: string) => string;
}
