/** The states of deliveries of events to webhook endpoints. */

/** `waiting` for the first attempt, `failing`: waiting for a retry. */
export const DELIVERY_STATES = ['waiting', 'failing', 'delivered', 'failed', 'canceled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The events of a list, and how many have a delivery in each state. An event has one delivery for each endpoint. */
export interface EventTotals extends Record<DeliveryState, number> {
  events: number;
}
