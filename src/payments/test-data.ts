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
export type TestDecline =
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
