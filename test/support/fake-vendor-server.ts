/** A fake vendor API on loopback for the official SDK: real HTTP, whose answers can be broken on request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestTimeout } from './request-timeout.ts';

export interface VendorRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * How an answer is broken. `hang`: it is never sent. `reset`: the connection breaks first. `half_sent`: the connection
 * breaks in the middle. `twice`: it is sent twice. The others are sent completely, with wrong content.
 */
export type Fault = 'hang' | 'reset' | 'half_sent' | 'garbage' | 'html_500' | 'empty' | 'not_ours' | 'twice';

/** The faults that leave the outcome unknown. */
export const FAULTS: readonly Fault[] = ['hang', 'reset', 'half_sent', 'garbage', 'html_500', 'empty', 'not_ours'];

export interface VendorReply {
  status: number;
  body: unknown;
  /** Replaces the JSON of `body`. */
  text?: string;
  headers?: Record<string, string>;
  fault?: Fault;
  /** The text begins with a byte order mark. */
  byteOrderMark?: boolean;
}

export interface FakeVendorServer {
  port: number;
  url: string;
  /** All requests, in order. */
  requests: VendorRequest[];
  /**
   * Handles the next request and breaks its answer.
   * @param onMet called when it has been handled
   * @param isMeant leaves other requests alone
   */
  failNext(fault: Fault, onMet?: () => void, isMeant?: (request: VendorRequest) => boolean): void;
  /** Answers the next request with this reply, without handling it. */
  answerNext(reply: VendorReply): void;
  /** Handles the next request at once and answers when `release` is called. */
  holdNext(): { arrived: Promise<void>; release: () => void };
  close(): Promise<void>;
}

/**
 * The next request meets the fault.
 * @returns a time limit for it: reached as soon as the vendor has handled a request that it never answers, otherwise
 *   {@link requestTimeout}
 */
export function failNextWithin(
  fakeVendor: FakeVendorServer,
  fault: Fault,
  isMeant?: (request: VendorRequest) => boolean,
): AbortSignal {
  const limit = new AbortController();
  fakeVendor.failNext(fault, () => fault === 'hang' && limit.abort(), isMeant);
  return AbortSignal.any([limit.signal, requestTimeout()]);
}

/** A fake vendor with its own payments. */
export interface FakeVendor extends FakeVendorServer {
  /** Requests that the vendor would not accept; must be empty. */
  violations: string[];
  /** The number of payments for this charge. */
  countPayments(chargeId: string): number;
}

/** @param handle synchronous, so that concurrent requests are handled one after the other */
export async function startFakeVendorServer(
  handle: (request: VendorRequest) => VendorReply,
): Promise<FakeVendorServer> {
  const requests: VendorRequest[] = [];
  let fault: Fault | undefined;
  let onFault: (() => void) | undefined;
  let isMeant: (request: VendorRequest) => boolean = () => true;
  let canned: VendorReply | undefined;
  let hold: ((answer: () => void) => void) | undefined;
  const server = createServer((incoming, response) => {
    void read(incoming).then((request) => {
      requests.push(request);
      const reply = canned ?? handle(request);
      const isHit = isMeant(request);
      const met = (isHit ? fault : undefined) ?? reply.fault;
      const tellMet = isHit ? onFault : undefined;
      canned = undefined;
      if (isHit) [fault, onFault, isMeant] = [undefined, undefined, () => true];
      const held = hold;
      hold = undefined;
      if (held === undefined) send(response, reply, met);
      else held(() => send(response, reply, met));
      tellMet?.();
    });
  });
  // With Node's default of 5 s, a delayed product would send on a connection that is already closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    failNext(next, onMet, ofRequest = () => true) {
      fault = next;
      onFault = onMet;
      isMeant = ofRequest;
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
  const text = reply.text ?? (reply.byteOrderMark === true ? '\uFEFF' : '') + JSON.stringify(reply.body);
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
