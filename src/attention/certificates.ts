/** Reads the certificates of the service's own addresses, for attention items before they end. */
import { deleteOldCertificates, writeCertificateEnd } from '../db/attention/certificates.ts';
import type { Sql } from '../db/pool.ts';
import { withinLimit } from '../lib/concurrency/time-limit.ts';
import { readCertificateEnd, type TlsPlace } from '../lib/http-client/tls-certificate.ts';

const LIMIT_MS = 10_000;

/** A place that is not reached keeps what was read there before. @param stop ends the waits */
export async function readCertificates(sql: Sql, places: readonly TlsPlace[], stop: AbortSignal): Promise<void> {
  for (const place of places) {
    const end = await withinLimit(LIMIT_MS, (signal) => readCertificateEnd(place, signal), stop);
    if (end !== null) await writeCertificateEnd(sql, place, end);
  }
  await deleteOldCertificates(sql);
}
