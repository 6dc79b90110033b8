/**
 * Asks a FreeSWITCH whether it is fit for calls, on a connection of our own, before drachtio-fsmrf connects: that
 * library never gives up on a server that refuses it, and throws out of a socket handler when the SIP profile is not
 * there (yet).
 */
import { connect } from 'node:net';

/** `refused`: nobody listens there, or the connection broke. */
export type ProbeFailure = 'refused' | 'wrong_secret' | 'not_allowed' | 'no_profile' | 'chatty_log' | 'timeout';

/** What drachtio-fsmrf looks for. */
const PROFILE = /^\s*drachtio_mrf\s.*sip:mod_sofia@(?:\d{1,3}\.){3}\d{1,3}:\d+/m;

/** @returns null when it is fit */
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
    socket.setEncoding('latin1');
    socket.on('error', () => finish('refused'));
    socket.on('close', () => finish('refused'));
    const questions = probeDialogue(secret, (text) => socket.write(text), finish);
    let buffer = '';
    socket.on('data', (chunk: string) => {
      buffer += chunk;
      for (let message = takeMessage(buffer); message !== null; message = takeMessage(buffer)) {
        buffer = message.rest;
        questions(message);
      }
    });
  });
}

interface EslMessage {
  headers: string;
  body: string;
}

/** The first whole message, in FreeSWITCH's framing: headers, an empty line, and `Content-Length` bytes if it says so. */
function takeMessage(buffer: string): (EslMessage & { rest: string }) | null {
  const end = buffer.indexOf('\n\n');
  if (end === -1) return null;
  const headers = buffer.slice(0, end);
  const length = Number(/^Content-Length: (\d+)$/m.exec(headers)?.[1] ?? 0);
  const start = end + 2;
  if (buffer.length < start + length) return null;
  return { headers, body: buffer.slice(start, start + length), rest: buffer.slice(start + length) };
}

function probeDialogue(secret: string, write: (text: string) => void, finish: (result: ProbeFailure | null) => void) {
  let profileSeen = false;
  return ({ headers, body }: EslMessage): void => {
    const type = /^Content-Type: (\S+)$/m.exec(headers)?.[1];
    if (type === 'auth/request') write(`auth ${secret}\n\n`);
    else if (type === 'text/rude-rejection') finish('not_allowed');
    else if (type === 'command/reply') {
      if (/^Reply-Text: \+OK/m.test(headers)) write('api sofia status\n\n');
      else finish('wrong_secret');
    } else if (type === 'api/response' && !profileSeen) {
      profileSeen = PROFILE.test(body);
      if (profileSeen) write(`api ${SET_LOG_LEVEL}\n\n`);
      else finish('no_profile');
    } else if (type === 'api/response') finish(isLogLevelSet(body) ? null : 'chatty_log');
  };
}

/**
 * From INFO on FreeSWITCH writes each key a caller presses. Without a level the command is no question: it turns all
 * logging off, whatever it was. So the level is set, and the answer proves it.
 */
export const SET_LOG_LEVEL = 'fsctl loglevel warning';

/** Whether the answer to {@link SET_LOG_LEVEL} says that no digit will be written. */
export function isLogLevelSet(answer: string): boolean {
  return /^\+OK log level: WARNING \[4\]/.test(answer);
}
