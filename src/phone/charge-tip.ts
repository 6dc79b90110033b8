/** The tip of a charge, as events and outcomes of a call have it. */
import type { Charge } from '../domain/charge.ts';

export const tipOf = ({ tipCents }: Pick<Charge, 'tipCents'>) => (tipCents === 0 ? {} : { tipCents });
