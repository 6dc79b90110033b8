/** Limits on texts: to one number, over all accounts, and from one account. */
export interface TextLimits {
  recipientHour: number;
  recipientDay: number;
  accountHour: number;
  accountDay: number;
}

export const TEXT_LIMITS: TextLimits = { recipientHour: 5, recipientDay: 10, accountHour: 200, accountDay: 1_000 };

/** From this share of its limit on, the account's owner is warned. */
export const NEAR_LIMIT = 0.8;
