/** How far a call has come: coarse, for whoever watches its session elsewhere. Nothing of a card. */

export const CALL_STAGES = [
  'greeting',
  'card_number',
  'expiry',
  'security_code',
  'postal_code',
  'keep_card',
  'confirmation',
  /** The card keyed on the call is being charged. */
  'paying',
  /** The link is texted, and the line waits for the payment by it. */
  'by_link',
  /** The line holds while the payment is made elsewhere. */
  'waiting',
  /** The outcome is told; then the caller goes back to the agent. */
  'leaving',
  'returning',
  'ended',
] as const;

export type CallStage = (typeof CALL_STAGES)[number];
