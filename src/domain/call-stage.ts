/** The coarse progress of a call, for observers of its session. Contains nothing about the card. */

export const CALL_STAGES = [
  'greeting',
  'card_number',
  'expiry',
  'security_code',
  'postal_code',
  'keep_card',
  'confirmation',
  /** The keyed card is being charged. */
  'paying',
  /** The link was texted, and the line waits for the payment. */
  'by_link',
  /** The line holds while the payment is made elsewhere. */
  'waiting',
  /** The line says the outcome, and then returns the caller to the agent. */
  'leaving',
  'returning',
  'ended',
] as const;

export type CallStage = (typeof CALL_STAGES)[number];
