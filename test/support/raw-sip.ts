/** Sends raw SIP datagrams and bytes, including malformed ones that no SIP stack would send, and reads the answers. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

const ANSWER_LIMIT_MS = 180_000;

export interface RawSipSocket {
  /** Its own `host:port`. */
  readonly address: string;
  /** Sends each text as one datagram. */
  send(...datagrams: (string | Uint8Array)[]): void;
  /** Waits for the first datagram that is `wanted`; each is returned once. Several can wait. @throws after three minutes */
  next(wanted: (text: string) => boolean): Promise<string>;
  close(): Promise<void>;
}

/** Opens a UDP socket to `target`, `host:port`. */
export async function openRawSipSocket(target: string): Promise<RawSipSocket> {
  const [host = '', port = ''] = target.split(':');
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const received: string[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    received.push(data.toString());
    for (const look of waiting) look();
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    send(...datagrams) {
      for (const datagram of datagrams) socket.send(datagram, Number(port), host);
    },
    next(wanted) {
      return new Promise((resolve, reject) => {
        const limit = setTimeout(() => {
          waiting.delete(look);
          reject(new Error('nothing of the kind was answered'));
        }, ANSWER_LIMIT_MS);
        const look = () => {
          const at = received.findIndex(wanted);
          if (at === -1) return;
          clearTimeout(limit);
          waiting.delete(look);
          resolve(received.splice(at, 1)[0] ?? '');
        };
        waiting.add(look);
        look();
      });
    },
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Sends bytes on a new TCP connection. Resolves to the answer when the other side or the time limit closes it. */
export async function sendOverTcp(target: string, bytes: string | Uint8Array, limitMs: number): Promise<string> {
  const [host = '', port = ''] = target.split(':');
  const socket = connect(Number(port), host);
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    // A reset also closes the connection.
    socket.once('error', () => socket.destroy());
  });
  socket.setTimeout(limitMs, () => socket.destroy());
  socket.write(bytes);
  await closed;
  return received;
}

export const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 9 RTP/AVP 0 96',
  'a=rtpmap:96 telephone-event/8000',
  '',
].join('\r\n');

interface RawParts {
  /** Headers to add or replace; null removes one. */
  headers?: Record<string, string | null>;
  body?: string;
}

/** An INVITE whose parts can all be replaced. */
export function rawInvite(uri: string, from: string, { headers = {}, body = '' }: RawParts = {}): string {
  const id = randomBytes(8).toString('hex');
  const all: Record<string, string | null> = {
    Via: `SIP/2.0/UDP ${from};branch=z9hG4bK${id}`,
    From: `<sip:+15550101234@${from}>;tag=${id}`,
    To: `<${uri}>`,
    'Call-ID': `${id}@raw`,
    CSeq: '1 INVITE',
    Contact: `<sip:raw@${from}>`,
    'Max-Forwards': '70',
    'Content-Type': 'application/sdp',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `INVITE ${uri} SIP/2.0\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The CANCEL of an INVITE (RFC 3261, 9.1). */
export function cancelOf(invite: string): string {
  const [head = ''] = invite.split('\r\n\r\n', 1);
  const lines = head.replaceAll('INVITE', 'CANCEL').split('\r\n');
  return `${lines.filter((line) => !/^Cont/.test(line)).join('\r\n')}\r\nContent-Length: 0\r\n\r\n`;
}

/** The ACK of an answer and a BYE (RFC 3261, 13.2.2.4, 15.1.1). */
export function endOf(invite: string, answer: string): string[] {
  const line = (text: string, name: string) => new RegExp(`^${name}: .*$`, 'm').exec(text)?.[0].trimEnd() ?? '';
  const uri = /^INVITE (\S+)/.exec(invite)?.[1] ?? '';
  const dialog = [line(invite, 'From'), line(answer, 'To'), line(invite, 'Call-ID'), 'Max-Forwards: 70'];
  return ['ACK', 'BYE'].map((method, at) => {
    const via = line(invite, 'Via').replace(/branch=\S+/, `$&${method}`);
    const cseq = `CSeq: ${1 + at} ${method}`;
    return [`${method} ${uri} SIP/2.0`, via, ...dialog, cseq, 'Content-Length: 0', '', ''].join('\r\n');
  });
}

/** The ACK of a refusal (RFC 3261, 17.1.1.3). */
export function ackOf(invite: string, refusal: string): string {
  const line = (text: string, name: string) => new RegExp(`^${name}: .*$`, 'm').exec(text)?.[0].trimEnd() ?? '';
  const uri = /^INVITE (\S+)/.exec(invite)?.[1] ?? '';
  const copied = ['Via', 'From', 'Call-ID', 'Max-Forwards'].map((name) => line(invite, name));
  return [`ACK ${uri} SIP/2.0`, ...copied, line(refusal, 'To'), 'CSeq: 1 ACK', 'Content-Length: 0', '', ''].join(
    '\r\n',
  );
}
