/**
 * Registers this process at a FreeSWITCH, which connects the event socket of a call back to us. The address goes over
 * the authenticated event socket and stands there under a token; an INVITE carries the token only. So nobody whose SIP
 * reaches the media server can make it connect anywhere, or read a call: see the dialplan in
 * `sip/freeswitch/freeswitch.xml`.
 */
import { randomBytes } from 'node:crypto';
import type { MediaServer } from 'drachtio-fsmrf';

/** The header of an INVITE to the media server with the token of its app: 64 hexadecimal digits. */
const APP_HEADER = 'X-Ringkey-App';

/** Headers for each INVITE to this server; null when it does not take the registration. */
export async function registerApp(server: MediaServer): Promise<Record<string, string> | null> {
  const token = randomBytes(32).toString('hex');
  const reply = await server.api(
    `global_setvar ${variable(token)}=${server.advertisedAddress}:${server.advertisedPort}`,
  );
  return reply.startsWith('+OK') ? { [APP_HEADER]: token } : null;
}

/** From now on INVITEs with these headers are refused. */
export async function unregisterApp(server: MediaServer, headers: Record<string, string>): Promise<void> {
  await server.api(`global_setvar ${variable(headers[APP_HEADER] ?? '')}=`);
}

/** The name of FreeSWITCH's global variable. */
function variable(token: string): string {
  return `ringkey_app_${token}`;
}
