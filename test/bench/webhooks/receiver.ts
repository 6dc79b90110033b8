/** The integrators' side, in a process of its own: takes webhooks, notes when, and lets one path hang. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceiverAnswer = { port: number } | { received: [id: string, atMs: number][] };

const HANG = '/hang';
let received: [string, number][] = [];

const server = createServer((request, response) => {
  received.push([String(request.headers['webhook-id']), Date.now()]);
  request.resume();
  if (request.url !== HANG) request.on('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
/** Each message asks for what came since the last. */
process.on('message', () => {
  tell({ received });
  received = [];
});
process.on('disconnect', () => process.exit());

function tell(answer: ReceiverAnswer): void {
  process.send?.(answer);
}
