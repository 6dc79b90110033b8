/** Reads the certificate that a TLS server presents. It is not verified: an expired or self-signed one has an end, too. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';

export interface TlsPlace {
  host: string;
  port: number;
}

/** @returns when the certificate ends; null if the server presents none, or is not reached until `signal` aborts */
export function readCertificateEnd({ host, port }: TlsPlace, signal: AbortSignal): Promise<Date | null> {
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...name, rejectUnauthorized: false });
    const end = (found: Date | null) => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(found);
    };
    const giveUp = () => end(null);
    socket.once('secureConnect', () => end(endOf(socket.getPeerCertificate().valid_to)));
    socket.once('error', giveUp);
    socket.once('close', giveUp);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
}

/** @param text `Nov 27 10:00:00 2026 GMT`; undefined if the server presented no certificate */
function endOf(text: string | undefined): Date | null {
  const end = new Date(text ?? '');
  return Number.isNaN(end.getTime()) ? null : end;
}
