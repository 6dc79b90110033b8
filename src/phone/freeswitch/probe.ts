/**
 * Probes a FreeSWITCH on our own connection before drachtio-fsmrf connects: event socket, secret, SIP profile, log
 * level. That library never gives up on a server that refuses it, and throws inside a socket handler if the SIP profile
 * is missing.
 */
import { connect } from 'node:net';
import type { MediaServer } from 'drachtio-fsmrf';
import { waitAtMost } from '../../lib/concurrency/time-limit.ts';
import { EventReader, type ReceivedEvent } from './event-reader.ts';
import type { ServerOptions } from './server.ts';

/** Why a server is unusable. `refused`: nothing listens there, or the connection broke. */
type ProbeFailure = 'refused' | 'wrong_secret' | 'not_allowed' | 'no_profile' | 'chatty_log' | 'timeout';

/** The line of `sofia status` that drachtio-fsmrf looks for. */
const PROFILE = /^\s*drachtio_mrf\s.*sip:mod_sofia@(?:\d{1,3}\.){3}\d{1,3}:\d+/m;

/** @returns null if the server is usable */
export function probeServer(host: string, port: number, secret: string, limitMs: number): Promise<ProbeFailure | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => finish('timeout'), limitMs);
    const finish = (result: ProbeFailure | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    socket.setNoDelay(true);
    socket.on('error', () => finish('refused'));
    socket.on('close', () => finish('refused'));
    const onMessage = probeDialogue(secret, (text) => socket.write(text), finish);
    const reader = new EventReader();
    socket.on('data', (chunk) => {
      for (const message of reader.read(chunk)) onMessage(message);
    });
  });
}

/** Answers the server's messages one by one, and calls `finish` with the result. */
function probeDialogue(secret: string, write: (text: string) => void, finish: (result: ProbeFailure | null) => void) {
  let profileSeen = false;
  return (message: ReceivedEvent): void => {
    const type = message.contentType;
    const body = message.getBody();
    if (type === 'auth/request') write(`auth ${secret}\n\n`);
    else if (type === 'text/rude-rejection') finish('not_allowed');
    else if (type === 'command/reply') {
      if (message.getHeader('Reply-Text')?.startsWith('+OK')) write('api sofia status\n\n');
      else finish('wrong_secret');
    } else if (type === 'api/response' && !profileSeen) {
      profileSeen = PROFILE.test(body);
      if (profileSeen) write(`api ${SET_LOG_LEVEL}\n\n`);
      else finish('no_profile');
    } else if (type === 'api/response') finish(isLogLevelSet(body) ? null : 'chatty_log');
  };
}

/**
 * Keeps keys out of FreeSWITCH's log, which contains each key from level INFO on. Sets the level and does not read it,
 * because the command without a level would turn off all logging.
 */
export const SET_LOG_LEVEL = 'fsctl loglevel warning';

/** Whether the reply to {@link SET_LOG_LEVEL} confirms the level. */
export function isLogLevelSet(answer: string): boolean {
  return /^\+OK log level: WARNING \[4\]/.test(answer);
}

const MODULE_LIMIT_MS = 3_000;

/** Whether a FreeSWITCH can detect tones. An unknown application would hang up the channel. */
export async function hasToneDetector(
  server: Pick<MediaServer, 'api'>,
  { address, port, log }: Pick<ServerOptions, 'address' | 'port' | 'log'>,
): Promise<boolean> {
  const answer = await waitAtMost(MODULE_LIMIT_MS, server.api('module_exists mod_spandsp'));
  const isThere = answer?.trim() === 'true';
  if (!isThere) log.warn({ address, port }, 'media server has no mod_spandsp: keys sent as tones are not detected');
  return isThere;
}
