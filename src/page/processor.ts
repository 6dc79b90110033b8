/** How the page takes a card for the merchant's processor. */
import type { Mode } from '../domain/session.ts';
import type { Processor, ProcessorPage } from '../payments/ports.ts';

/**
 * - `own_fields`: our own form, which works without JavaScript; in test mode only, where every card is a fake
 * - `token`: the processor's fields, whose script makes a token: no card number touches us
 */
export type CardWay = 'own_fields' | 'token';

export interface ProcessorAtPage {
  name: string;
  way: CardWay;
  /** The card can be keyed on the phone instead. */
  canKey: boolean;
  /** What the page loads for it; null for our own fields. */
  page: ProcessorPage | null;
}

/** @returns null where there is no processor that takes cards on the page in this mode */
export function processorAtPage(
  processors: readonly Processor[],
  mode: Mode,
  name: string | null,
): ProcessorAtPage | null {
  const processor = processors.find((each) => each.name === name && each.modes.includes(mode));
  if (processor === undefined) return null;
  const page = processor.page(mode);
  const facts = { name: processor.name, canKey: processor.can.keypad, page };
  if (page !== null) return processor.can.pageTokens ? { ...facts, way: 'token' } : null;
  // What our own fields take reaches us: fake cards only.
  return mode === 'test' && processor.can.keypad ? { ...facts, way: 'own_fields' } : null;
}
