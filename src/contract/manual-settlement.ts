/** Manual settlement: the kinds that can be settled, their outcomes, and how REST and its clients name them. */
import { holdsCardNumber } from '../domain/card-data.ts';

export const SETTLEABLE = {
  charge: {
    idKind: 'Charge',
    /** In paths. */
    list: 'charges',
    idField: 'charge_id',
    processorIdField: 'processor_payment_id',
    /** The processor's term. */
    processorName: 'payment',
    outcomes: ['succeeded', 'not_received'],
  },
  refund: {
    idKind: 'Refund',
    list: 'refunds',
    idField: 'refund_id',
    processorIdField: 'processor_refund_id',
    processorName: 'refund',
    outcomes: ['succeeded', 'refused', 'not_received'],
  },
} as const;

export type SettleableKind = keyof typeof SETTLEABLE;

type Failure<K extends SettleableKind> = Exclude<(typeof SETTLEABLE)[K]['outcomes'][number], 'succeeded'>;

/**
 * The outcome at the processor. `refused`: it accepted the refund, but the refund failed. `not_received`: it does not
 * know the charge or refund and never will.
 */
export type ManualOutcome<K extends SettleableKind = SettleableKind> =
  | { outcome: 'succeeded'; processorId: string }
  | { outcome: Failure<K> };

/**
 * Whether a text that a person typed can be a processor's ID: printable, without spaces. A leading dash means that an
 * option was mistyped. The ID is stored, so it must not contain a card number.
 */
export const isProcessorId = (text: string) => /^(?!-)[\x21-\x7e]{1,255}$/.test(text) && !holdsCardNumber(text);
