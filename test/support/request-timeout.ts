/**
 * A time limit for tests' requests to servers on loopback: even on a busy machine, only a hanging request reaches it.
 */
const TIMEOUT_MS = 120_000;

export const requestTimeout = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS);
