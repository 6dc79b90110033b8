/**
 * A time limit for tests' requests to servers on loopback: even on a busy machine, only a hanging request reaches it.
 */
const PATIENCE_MS = 120_000;

export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
