/**
 * Registers this process at a FreeSWITCH, which connects each call's event socket back to this process. The address is
 * sent over the authenticated event socket and stored under a token; an INVITE contains only the token. So a stranger
 * whose SIP reaches the media server cannot make it connect anywhere, nor read a call. See the dialplan in
 * `sip/freeswitch/freeswitch.xml`.
 */
import { randomBytes } from 'node:crypto';
import type { MediaServer } from 'drachtio-fsmrf';

/** The header of our INVITEs with the token: 64 hexadecimal digits. */
const APP_HEADER = 'X-Ringkey-App';

/** Headers for each INVITE to this server. Null if it rejects the registration. */
export async function registerApp(server: MediaServer): Promise<Record<string, string> | null> {
  const token = randomBytes(32).toString('hex');
  const reply = await server.api(
    `global_setvar ${variable(token)}=${server.advertisedAddress}:${server.advertisedPort}`,
  );
  return reply.startsWith('+OK') ? { [APP_HEADER]: token } : null;
}

/** The server refuses INVITEs with these headers from now on. */
export async function unregisterApp(server: MediaServer, headers: Record<string, string>): Promise<void> {
  await server.api(`global_setvar ${variable(headers[APP_HEADER] ?? '')}=`);
}

/** The name of FreeSWITCH's global variable. */
function variable(token: string): string {
  return `ringkey_app_${token}`;
}
