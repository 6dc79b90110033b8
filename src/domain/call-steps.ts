/** Names of steps in a call's timeline that several modules need: the line writes them, and statistics count them. */

/** The fields that the line can ask for, in order. */
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

/** The step in which the line first asks for a field. */
export const askStep = (field: AskedField) => `ask ${field}` as const;
/** The card is sent to the processor. */
export const CHARGE_STEP = 'charge';
/** The caller is about to return to the agent. */
export const RETURN_STEP = 'return';
