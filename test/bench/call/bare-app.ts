/**
 * The baseline: the minimum that drachtio-srf and drachtio-fsmrf can do with such a call. It answers, plays one file,
 * collects the digits, returns the caller by REFER, and hangs up when the REFER has succeeded. It has no records,
 * checks, sentences or error handling. As in the product, both libraries' sockets are without Nagle's algorithm.
 */
import Mrf, { type Endpoint, type MediaServer } from 'drachtio-fsmrf';
import {
  createSrf,
  type Dialog,
  type ServerRequest,
  type ServerResponse,
} from '../../../src/phone/drachtio/library.ts';
import { registerApp } from '../../../src/phone/freeswitch/app-address.ts';

export interface BareAppOptions {
  drachtio: { host: string; port: number; secret: string };
  freeswitch: { address: string; port: number; secret: string; listenAddress: string };
  /** The file that it plays. */
  file: string;
  /** The keys that a caller presses. */
  digits: string;
  returnTo: string;
}

/** The answer to the question `digits`. */
export interface BareAppCount {
  calls: number;
  /** Calls whose digits differ from the pressed keys. */
  wrong: number;
}

type PlayingEndpoint = Endpoint & { play(file: string): Promise<unknown> };

const options = JSON.parse(process.argv[2] ?? '{}') as BareAppOptions;
const count: BareAppCount = { calls: 0, wrong: 0 };
const srf = createSrf();
srf.on('error', (error) => console.error('drachtio', error.message));
srf.connect({ ...options.drachtio, enablePing: true, pingInterval: 15_000, reconnect: { retryMaxDelay: 2_000 } });
srf.on('connect', () => {
  for (const socket of srf.app.client.mapServer.keys()) socket.setNoDelay(true);
  void start();
});
process.on('message', (question) => {
  if (question === 'digits') process.send?.(count);
});
for (const end of ['SIGTERM', 'disconnect'] as const) process.on(end, () => process.exit(0));

async function start(): Promise<void> {
  const server = await new Mrf(srf).connect({ ...options.freeswitch, listenPort: 0 });
  server.conn.socket?.setNoDelay(true);
  server._server.server.prependListener('connection', (socket) => socket.setNoDelay(true));
  const headers = (await registerApp(server)) ?? {};
  srf.invite((req, res) => {
    take(server, headers, req, res).catch((error: unknown) => console.error('call failed', error));
  });
  process.send?.('ready');
}

async function take(
  server: MediaServer,
  headers: Record<string, string>,
  req: ServerRequest,
  res: ServerResponse,
): Promise<void> {
  const endpoint = (await server.createEndpoint({ remoteSdp: req.body, headers: { ...headers } })) as PlayingEndpoint;
  const dialog = await answer(req, res, endpoint.dialog?.remote.sdp ?? '');
  let keyed = '';
  endpoint.on('dtmf', ({ dtmf }: { dtmf: string }) => {
    keyed += dtmf;
    if (keyed.length === options.digits.length) goBack(dialog, endpoint);
  });
  dialog.once('destroy', () => void endpoint.destroy());
  count.calls += 1;
  count.wrong += 1;
  dialog.on('notify', (notify, answered) => {
    answered.send(200);
    if (!notify.get('Subscription-State')?.startsWith('terminated')) return;
    if (keyed === options.digits) count.wrong -= 1;
    void Promise.all([dialog.destroy(), endpoint.destroy()]);
  });
  await endpoint.play(options.file);
}

function answer(req: ServerRequest, res: ServerResponse, localSdp: string): Promise<Dialog> {
  return new Promise((resolve, reject) => {
    srf.createUAS(req, res, { localSdp }, (error, dialog) => (error ? reject(error) : resolve(dialog)));
  });
}

function goBack(dialog: Dialog, endpoint: Endpoint): void {
  const headers = { 'Refer-To': `<${options.returnTo}>`, Contact: dialog.local.contact };
  dialog.request({ method: 'REFER', headers }, (error) => {
    if (error) void Promise.all([dialog.destroy(), endpoint.destroy()]);
  });
}
