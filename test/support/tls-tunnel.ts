/**
 * Carries the SIP of a test phone over TLS. The phone speaks TCP to a port here; each of its connections goes on to the
 * line by TLS, with the addresses in the messages put right: the line sees a phone on TLS, which takes requests on its
 * own connection.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { StreamFramer } from '../../src/local/softswitch/sip/framing.ts';

export interface TlsTunnel {
  /** What the phone is to dial for a URI of the line. */
  uriOf(uri: string): string;
  /** What went over TLS, in order. */
  readonly messages: readonly string[];
  /** As `TLSv1.3`; null before the first connection. */
  readonly protocol: string | null;
  close(): Promise<void>;
}

/** Where the line takes SIP over TLS, and the authority (PEM) by which its certificate is checked. */
export interface TlsLine {
  host: string;
  port: number;
  ca: string;
}

const HOST = '127.0.0.1';

export async function startTlsTunnel(line: TlsLine): Promise<TlsTunnel> {
  const sockets = new Set<Socket>();
  const messages: string[] = [];
  let protocol: string | null = null;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...line, minVersion: 'TLSv1.2' });
    join(sockets, near, far);
    far.once('secureConnect', () => {
      protocol = far.getProtocol();
      const phone = `${HOST}:${far.localPort}`;
      eachMessage(near, (text) => {
        const shown = withTlsAddress(revealed(text, line, own()), phone);
        messages.push(shown);
        far.write(shown);
      });
      eachMessage(far, (text) => {
        messages.push(text);
        near.write(disguised(text, line, own()));
      });
    });
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const own = () => `${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    uriOf: (uri) => disguised(uri, line, own()),
    messages,
    get protocol() {
      return protocol;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** When one side closes, the other does. */
function join(sockets: Set<Socket>, near: Socket, far: Socket): void {
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      near.destroy();
      far.destroy();
    });
  }
}

function eachMessage(socket: Socket, take: (text: string) => void): void {
  const framer = new StreamFramer();
  socket.on('data', (chunk: Buffer) => {
    for (const message of framer.push(chunk).messages) take(message.toString());
  });
}

/** URIs of the line become such of the tunnel, which remember what they were. No body holds any. */
function disguised(text: string, { host, port }: TlsLine, tunnel: string): string {
  const uri = new RegExp(`\\b(sips?):([^@\\s<>]*@)?${host}:${port}(;transport=tls)?`, 'gi');
  return text.replace(
    uri,
    (_, scheme: string, user = '', tls = '') => `sip:${user}${tunnel};transport=tcp;was=${scheme}${tls && '-tls'}`,
  );
}

function revealed(text: string, { host, port }: TlsLine, tunnel: string): string {
  const uri = new RegExp(`\\bsip:([^@\\s<>]*@)?${tunnel};transport=tcp;was=(sips?)(-tls)?`, 'gi');
  return text.replace(
    uri,
    (_, user = '', scheme: string, tls = '') => `${scheme}:${user}${host}:${port}${tls && ';transport=tls'}`,
  );
}

/**
 * The phone's own Via and Contact name its end of the TLS connection. A `sips:` call has a `sips:` Contact (RFC 3261,
 * 8.1.1.8).
 */
function withTlsAddress(text: string, phone: string): string {
  const scheme = /^INVITE sips:/i.test(text) ? 'sips' : 'sip';
  return text
    .replace(/^Via: SIP\/2\.0\/TCP [\d.:]+/gim, `Via: SIP/2.0/TLS ${phone}`)
    .replace(/^Contact: <sip:[^>]*>/gim, `Contact: <${scheme}:${phone};transport=tls>`);
}
