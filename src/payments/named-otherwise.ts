/** What a person gave a charge or a refund as its id at the processor is not: nothing was written. */
import type { NameConflict } from '../db/named-ids.ts';

export class NamedOtherwise extends Error {
  readonly conflict: NameConflict;

  constructor(conflict: NameConflict) {
    super('the processor calls it otherwise');
    this.name = 'NamedOtherwise';
    this.conflict = conflict;
  }
}
