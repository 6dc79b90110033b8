/**
 * A time limit for what tests ask of servers on loopback: reached only where something hangs, on a busy machine, too.
 */
const PATIENCE_MS = 120_000;

export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
