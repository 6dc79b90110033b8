/**
 * Carries the SIP of a test phone over TLS. The phone connects to a port here by TCP; each connection is forwarded to
 * the line by TLS, with the addresses in the messages corrected: the line sees a phone on TLS, which receives requests
 * on its own connection.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { StreamFramer } from '../../src/local/softswitch/sip/framing.ts';

export interface TlsTunnel {
  /** The URI that the phone dials for a URI of the line. */
  uriOf(uri: string): string;
  /** The messages sent over TLS, in order. */
  readonly messages: readonly string[];
  /** E.g. `TLSv1.3`; null before the first connection. */
  readonly protocol: string | null;
  close(): Promise<void>;
}

/** The line's address for SIP over TLS, and the authority (PEM) that its certificate is checked with. */
interface TlsLine {
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

/** Replaces the line's URIs by the tunnel's, from which the original can be restored. Bodies contain none. */
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
 * Puts the phone's end of the TLS connection into its own Via and Contact. A `sips:` call has a `sips:` Contact (RFC
 * 3261, 8.1.1.8).
 */
function withTlsAddress(text: string, phone: string): string {
  const scheme = /^INVITE sips:/i.test(text) ? 'sips' : 'sip';
  return text
    .replace(/^Via: SIP\/2\.0\/TCP [\d.:]+/gim, `Via: SIP/2.0/TLS ${phone}`)
    .replace(/^Contact: <sip:[^>]*>/gim, `Contact: <${scheme}:${phone};transport=tls>`);
}
