/** SQL: what the caller was told of a charge `c` before it settled. */

/** A late charge that was reported as failed. */
export const WAS_REPORTED_FAILED = `(c.was_late and exists (select from events e
  where e.session_id = c.session_id and e.charge_id = c.id and e.type = 'checkout.failed'))`;

/** The caller was told that the outcome is unknown. */
export const WAS_PENDING = `exists (select from events e
  where e.session_id = c.session_id and e.charge_id = c.id and e.type = 'checkout.pending')`;
