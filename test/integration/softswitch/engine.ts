/**
 * Runs the signalling half of the softswitch, with applications on drachtio-srf. With DRACHTIO_PORT, a real
 * drachtio-server is used instead (DRACHTIO_HOST, DRACHTIO_SECRET, DRACHTIO_SIP_PORT). The same tests must pass.
 */

import type { EventEmitter } from 'node:events';
import type { SignallingTestOptions } from '../../../src/local/softswitch/signalling/index.ts';
import { startSignalling } from '../../../src/local/softswitch/signalling/index.ts';
import { createSipAgent, type SipAgent, type SipAgentOptions } from '../../../src/local/softswitch/sip/index.ts';
import { type App, newApp } from './drachtio-app.ts';

export const OFFER = sdp('caller', 4000);
export const ANSWER = sdp('line', 5000);
const SECRET = 'test-secret';

export interface Engine {
  /** `sip:user@…` of the engine. */
  uri(user: string, transport?: string): string;
  sipPort: number;
  drachtioPort: number;
  secret: string;
  external: boolean;
  callCount(): number;
  /** Connects a new application. */
  app(): Promise<App>;
  /** Creates another SIP user agent: a phone or a carrier. */
  phone(options?: Partial<SipAgentOptions>): Promise<SipAgent>;
  close(): Promise<void>;
}

export const external = process.env.DRACHTIO_PORT !== undefined;

export async function startEngine(test: SignallingTestOptions = {}, maxCalls?: number): Promise<Engine> {
  const { sipPort, drachtioPort, secret, callCount, close } = await target(test, maxCalls);
  const apps = new Set<App>();
  const phones: SipAgent[] = [];
  return {
    sipPort,
    drachtioPort,
    secret,
    external,
    callCount,
    uri: (user, transport = 'udp') => `sip:${user}@127.0.0.1:${sipPort};transport=${transport}`,
    app: async () => {
      const app = await connect(drachtioPort, secret);
      apps.add(app);
      // The library throws if an app disconnects twice.
      app.once('close', () => apps.delete(app));
      return app;
    },
    phone: async (options = {}) => {
      const phone = await createSipAgent({ address: '127.0.0.1', port: 0, ...options });
      phones.push(phone);
      return phone;
    },
    close: async () => {
      await Promise.all(phones.map((phone) => phone.close()));
      for (const app of apps) app.disconnect();
      await close();
    },
  };
}

async function target(test: SignallingTestOptions, maxCalls?: number) {
  if (external) {
    return {
      sipPort: Number(process.env.DRACHTIO_SIP_PORT ?? 5060),
      drachtioPort: Number(process.env.DRACHTIO_PORT),
      secret: process.env.DRACHTIO_SECRET ?? 'cymru',
      callCount: () => 0,
      close: () => Promise.resolve(),
    };
  }
  const options = { sipAddress: '127.0.0.1', sipPort: 0, drachtioAddress: '127.0.0.1', drachtioPort: 0, maxCalls };
  const signalling = await startSignalling({ ...options, drachtioSecret: SECRET }, test);
  const { sipPort, drachtioPort } = signalling;
  return { sipPort, drachtioPort, secret: SECRET, callCount: () => signalling.callCount, close: signalling.close };
}

/**
 * Resolves when the server has processed everything the app sent before, such as a subscription. An INVITE on another
 * socket can otherwise overtake it, and gets 503. The server answers a request to no address with an error, in order.
 */
export async function messagesProcessed(app: App): Promise<void> {
  await app.createUAC('sip:@', { localSdp: OFFER }).catch(() => undefined);
}

function connect(port: number, secret: string): Promise<App> {
  const app = newApp();
  return new Promise((resolve, reject) => {
    app.on('error', reject);
    app.on('connect', (error: Error | null) => (error ? reject(error) : resolve(app)));
    app.connect({ host: '127.0.0.1', port, secret });
  });
}

function sdp(name: string, port: number): string {
  const lines = ['v=0', `o=${name} 1 1 IN IP4 127.0.0.1`, 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  return `${[...lines, `m=audio ${port} RTP/AVP 0 101`, 'a=rtpmap:101 telephone-event/8000', ''].join('\r\n')}`;
}

/** The next `name` event's arguments; the type argument says which. */
export function once<T extends unknown[]>(emitter: object, name: string): Promise<T> {
  return new Promise((resolve) => (emitter as EventEmitter).once(name, (...args) => resolve(args as T)));
}
