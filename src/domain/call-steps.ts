/**
 * Names of steps in a call's timeline that more than one place has to know: the line writes them, statistics count by
 * them.
 */

/** What the line may ask for, in the order in which it asks. */
export const ASKED_FIELDS = [
  'saved_card',
  'card_number',
  'expiry',
  'security_code',
  'postal_code',
  'keep_card',
  'confirmation',
] as const;
export type AskedField = (typeof ASKED_FIELDS)[number];

/** The line has asked for it the first time. */
export const askStep = (field: AskedField) => `ask ${field}` as const;
/** The card is sent to the processor. */
export const CHARGE_STEP = 'charge';
/** The caller is about to go back to the agent. */
export const RETURN_STEP = 'return';
