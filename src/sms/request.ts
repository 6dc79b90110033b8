/** One request to a carrier's REST API. Without an answer, it says whether the request may have reached the carrier. */

export type CarrierAnswer =
  | { type: 'answered'; status: number; retryAfterMs: number | null; json: unknown }
  /** `sent`: it may have reached the carrier. */
  | { type: 'unanswered'; sent: boolean; cause: string };

/** The connection was never made, so nothing was sent. */
const NEVER_CONNECTED = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/** Never throws. */
export async function askCarrier(url: string, init: RequestInit): Promise<CarrierAnswer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
    return { type: 'answered', status: response.status, retryAfterMs, json: parsed(await response.text()) };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; syscall?: string } };
    const code = cause?.code ?? (error instanceof Error ? error.name : 'error');
    // Several errors in one are of a host's several addresses, which are tried while there is no connection yet.
    const isConnecting = cause instanceof AggregateError || cause?.syscall === 'connect';
    return { type: 'unanswered', sent: !isConnecting && !NEVER_CONNECTED.has(code), cause: code };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
