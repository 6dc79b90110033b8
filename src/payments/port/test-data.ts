/**
 * The published test cards of a processor's test environment: for test calls, and for the documentation. Each adapter's
 * are in its `test-data.ts`. The sandboxes have cards of their own (sandbox/cards.ts).
 */

export interface VendorTestCard {
  /** Unique at the processor: `visa`. */
  name: string;
  /** For readers, such as "Visa, approved". */
  about: string;
  number: string;
  /** `MMYY`, if only this date works. Otherwise any future month does. */
  expiry?: string;
  /** If only this code works, or if it decides the outcome. Otherwise any does. */
  securityCode?: string;
}

/** How the environment is made to decline. */
type TestDecline =
  | { by: 'card'; name: string }
  | { by: 'security_code'; securityCode: string }
  | { by: 'postal_code'; postalCode: string }
  | { by: 'amount'; amountCents: number };

export interface TestData {
  /** The vendor's page about it, without scheme. */
  source: string;
  /** The first is entered if no other is chosen. */
  cards: readonly [VendorTestCard, ...VendorTestCard[]];
  /** Null if nothing that a caller keys makes it decline. */
  decline: TestDecline | null;
  /** What cannot be tried on a call, and what to know. A sentence each. */
  limits: readonly string[];
  /** For bank debits: a routing number that it accepts. */
  routingNumber?: string;
}

/** Scripts of test calls with a declined card; whether the caller then pays the same amount. */
export const DECLINED_SCRIPTS: Readonly<Record<string, boolean>> = { declined: false, 'decline-then-ok': true };

/**
 * The digits that a caller enters, by the fields of `ringkey call --enter`.
 * @param chosen null: the first card, and the card that is declined. @param isDeclined the caller expects a decline
 */
export function digitsToEnter(
  { cards, decline, routingNumber }: TestData,
  chosen: VendorTestCard | null,
  isDeclined: boolean,
): Readonly<Record<string, string>> {
  const isDeclinedCard = isDeclined && decline?.by === 'card';
  const { number, expiry, securityCode } = isDeclinedCard ? cards[0] : (chosen ?? cards[0]);
  return {
    card: number,
    ...(expiry !== undefined && { expiry }),
    ...(securityCode !== undefined && { security_code: securityCode }),
    ...declinedDigits({ cards, decline }, isDeclined ? chosen : null),
    ...(routingNumber !== undefined && { routing_number: routingNumber }),
  };
}

function declinedDigits(
  { decline, cards }: Pick<TestData, 'decline' | 'cards'>,
  chosen: VendorTestCard | null,
): Record<string, string> {
  switch (decline?.by) {
    case 'card': {
      const card = chosen ?? cards.find(({ name }) => name === decline.name);
      return card === undefined ? {} : { declined_card: card.number };
    }
    case 'security_code':
      return { declined_security_code: decline.securityCode };
    case 'postal_code':
      return { declined_postal_code: decline.postalCode };
    default:
      return {};
  }
}
