/** A vendor's API on loopback, for an official SDK to talk to: real HTTP, answered well or in every bad way there is. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VendorRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * What becomes of an answer on its way. `hang`: it never comes. `reset`: the connection breaks first. `half_sent`: it
 * breaks in the middle. `twice`: it comes, and comes again. The others come whole, and are not what they should be.
 */
export type Fault = 'hang' | 'reset' | 'half_sent' | 'garbage' | 'html_500' | 'empty' | 'not_ours' | 'twice';

/** Those that leave the outcome unknown. */
export const FAULTS: readonly Fault[] = ['hang', 'reset', 'half_sent', 'garbage', 'html_500', 'empty', 'not_ours'];

export interface VendorReply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  fault?: Fault;
}

export interface FakeVendorServer {
  port: number;
  url: string;
  /** All that came in, in order. */
  requests: VendorRequest[];
  /** The next request is handled, and its answer meets this. */
  failNext(fault: Fault): void;
  /** The next request is answered with this and not handled. */
  answerNext(reply: VendorReply): void;
  /** The next request is handled at once and answered when `release` is called. */
  holdNext(): { arrived: Promise<void>; release: () => void };
  close(): Promise<void>;
}

/** A vendor's books behind such a server. */
export interface FakeVendor extends FakeVendorServer {
  /** What it was sent that the vendor would not understand: nothing, if all is well. */
  violations: string[];
  /** Payments that name this charge. */
  countPayments(chargeId: string): number;
}

/** @param handle pure and synchronous, so that two requests at once come one after the other */
export async function startFakeVendorServer(
  handle: (request: VendorRequest) => VendorReply,
): Promise<FakeVendorServer> {
  const requests: VendorRequest[] = [];
  let fault: Fault | undefined;
  let canned: VendorReply | undefined;
  let hold: ((answer: () => void) => void) | undefined;
  const server = createServer((incoming, response) => {
    void read(incoming).then((request) => {
      requests.push(request);
      const reply = canned ?? handle(request);
      const met = fault ?? reply.fault;
      canned = undefined;
      fault = undefined;
      const held = hold;
      hold = undefined;
      if (held === undefined) send(response, reply, met);
      else held(() => send(response, reply, met));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    failNext(next) {
      fault = next;
    },
    answerNext(reply) {
      canned = reply;
    },
    holdNext() {
      let release: () => void = () => undefined;
      const arrived = new Promise<void>((resolve) => {
        hold = (answer) => {
          release = answer;
          resolve();
        };
      });
      return { arrived, release: () => release() };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(incoming: IncomingMessage): Promise<VendorRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const { method = '', headers } = incoming;
  return { method, path: url.pathname, query: url.searchParams, headers, body: Buffer.concat(chunks).toString() };
}

function send(response: ServerResponse, reply: VendorReply, fault: Fault | undefined): void {
  const text = JSON.stringify(reply.body);
  const json = { 'content-type': 'application/json', ...reply.headers };
  switch (fault) {
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'half_sent':
      response.writeHead(reply.status, { ...json, 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroySoon());
      return;
    case 'garbage':
      response.writeHead(reply.status, json).end('{"id": "\u0000');
      return;
    case 'html_500':
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');
      return;
    case 'empty':
      response.writeHead(reply.status, json).end();
      return;
    case 'not_ours':
      response.writeHead(200, json).end('{"hello": "world"}');
      return;
    case 'twice': {
      const { socket } = response;
      const length = Buffer.byteLength(text);
      const again = `HTTP/1.1 ${reply.status} OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
      response.writeHead(reply.status, json).end(text, () => socket?.write(again));
      return;
    }
    case undefined:
      response.writeHead(reply.status, json).end(text);
  }
}
