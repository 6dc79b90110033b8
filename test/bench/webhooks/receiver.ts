/** The integrators' endpoints, in a separate process: receive webhooks and record the time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceiverAnswer = { port: number } | { received: [id: string, atMs: number][] };

let received: [string, number][] = [];
let count = 0;

/**
 * `/hang` never answers, `/slow` answers after 200 ms, `/unreliable` refuses 3 in 100, every other path accepts all.
 */
const server = createServer((request, response) => {
  received.push([String(request.headers['webhook-id']), Date.now()]);
  request.resume();
  const answer = (status: number) => response.writeHead(status).end();
  request.on('end', () => {
    if (request.url === '/slow') setTimeout(answer, 200, 204);
    else if (request.url === '/unreliable') answer(++count % 33 === 0 ? 500 : 204);
    else if (request.url !== '/hang') answer(204);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
/** Each message requests the deliveries since the previous one. */
process.on('message', () => {
  tell({ received });
  received = [];
});
process.on('disconnect', () => process.exit());

function tell(answer: ReceiverAnswer): void {
  process.send?.(answer);
}
