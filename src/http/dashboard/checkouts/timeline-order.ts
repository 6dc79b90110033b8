/**
 * Sorts a timeline. Its entries come from several clocks: of the database, and of the processes that handle calls and
 * send texts. Entries of the same second, which look simultaneous on the page, are sorted by cause and effect.
 */

/** A cause of other entries. */
type Cause = 'charge_sent' | 'charge_created' | 'charge_settled' | 'link_asked';

export interface Ordered {
  /** ISO 8601. */
  at: string;
  /** The cause that this entry is. */
  tells?: Cause;
  /** The cause that precedes this entry. */
  follows?: Cause;
}

const secondOf = ({ at }: Ordered) => Math.floor(Date.parse(at) / 1_000);

/** In chronological order, except that a cause precedes its effect. */
export function byTime<T extends Ordered>(entries: readonly T[]): T[] {
  const waiting = [...entries].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const ordered: T[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((entry) => !waiting.some((other) => isCauseOf(other, entry)));
    ordered.push(...waiting.splice(Math.max(0, next), 1));
  }
  return ordered;
}

function isCauseOf(cause: Ordered, effect: Ordered): boolean {
  return effect.follows !== undefined && cause.tells === effect.follows && secondOf(cause) === secondOf(effect);
}

/** Steps of a call that come before or after other entries. */
const STEPS: Readonly<Record<string, Omit<Ordered, 'at'>>> = {
  charge: { tells: 'charge_sent' },
  send_link: { tells: 'link_asked' },
  paying_elsewhere: { follows: 'charge_created' },
  paid: { follows: 'charge_settled' },
  declined: { follows: 'charge_settled' },
  paid_elsewhere: { follows: 'charge_settled' },
  declined_elsewhere: { follows: 'charge_settled' },
};

/** @param step such as `declined do_not_honor` */
export const orderOfStep = (step: string): Omit<Ordered, 'at'> => STEPS[step.split(' ', 1)[0] ?? ''] ?? {};
