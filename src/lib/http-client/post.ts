/**
 * Requests to URLs chosen by others: limited in time and size, without redirects, and optionally to public addresses
 * only.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { ForbiddenAddress, hostOf, isPublicHost, publicLookup } from './public-addresses.ts';

interface OutboundPost {
  url: string;
  /** JSON. */
  body: string;
  headers: Record<string, string>;
  /** Refuses non-public addresses. The check covers the address that is actually connected to. */
  publicOnly: boolean;
  /** The maximum size of the response. A longer one is {@link AnswerTooLong}, unless `cut`. */
  answerLimitBytes: number;
  /** For responses whose status alone counts: a long, late or broken body is cut, not an error. */
  cut?: boolean;
  /** Connections to reuse. By default, each request opens its own. */
  connections?: Connections;
  /** Aborts the request. */
  signal: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** The bytes as UTF-8. */
  readonly text: string;
}

export class AnswerTooLong extends Error {
  constructor() {
    super('the answer is too long');
    this.name = 'AnswerTooLong';
  }
}

/** A GET has no body. */
type OutboundGet = Pick<OutboundPost, 'url' | 'publicOnly' | 'answerLimitBytes' | 'signal'>;

type OutboundRequest = Omit<OutboundPost, 'body'> & { body: string | null };

const USER_AGENT = 'Ringkey/1';
/** The limit after the status if the body can be `cut`. */
const CUT_AFTER_MS = 2_000;
const IDLE_MS = 10_000;
const MAX_IDLE = 256;

/**
 * Connections kept for later requests to the same host. Those for public addresses only are separate: each was checked
 * when it was opened.
 */
export class Connections {
  readonly #agents: readonly (HttpAgent | HttpsAgent)[];
  readonly #pools: Record<'public' | 'any', { http: HttpAgent; https: HttpsAgent }>;

  /** @param lookup for `publicOnly` requests; tests replace DNS with it */
  constructor(lookup: LookupFunction = publicLookup) {
    const idle = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS };
    this.#pools = {
      public: { http: new HttpAgent({ ...idle, lookup }), https: new HttpsAgent({ ...idle, lookup }) },
      any: { http: new HttpAgent(idle), https: new HttpsAgent(idle) },
    };
    this.#agents = Object.values(this.#pools).flatMap(({ http, https }) => [http, https]);
  }

  agentFor(url: URL, publicOnly: boolean): HttpAgent | HttpsAgent {
    const { http, https } = this.#pools[publicOnly ? 'public' : 'any'];
    return url.protocol === 'https:' ? https : http;
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }
}

/** @returns any status, including redirects. @throws without a response: connection, time, size, forbidden address */
export function post(options: OutboundPost): Promise<OutboundAnswer> {
  return request(options);
}

/** Like {@link post}. */
export function get(options: OutboundGet): Promise<OutboundAnswer> {
  return request({ ...options, body: null, headers: { accept: '*/*' } });
}

async function request(options: OutboundRequest): Promise<OutboundAnswer> {
  options.signal.throwIfAborted();
  const url = new URL(options.url);
  // A literal address is never looked up, so it is judged here.
  if (options.publicOnly && !isPublicHost(hostOf(url))) throw new ForbiddenAddress();
  return send(url, options, options.connections?.agentFor(url, options.publicOnly) ?? false);
}

function send(url: URL, options: OutboundRequest, agent: HttpAgent | HttpsAgent | false): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    let [answered, failed] = [false, false];
    const request = startRequest(url, options, agent, (answer) => {
      answered = true;
      readAnswer(answer, options).then(resolve, (error: Error) => {
        request.destroy();
        reject(error);
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      failed = true;
      // What has its status is an answer, however it ends.
      if (answered && options.cut === true) return;
      // The other side closed the kept connection as we took it up: nothing was read of this request.
      const stale = request.reusedSocket && !answered && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (stale && !options.signal.aborted) send(url, options, false).then(resolve, reject);
      else reject(error);
    });
    // After 101 Switching Protocols there is neither an answer nor an error.
    request.on('close', () => {
      if (!answered && !failed) reject(new Error('the connection was closed without an answer'));
    });
    request.end(options.body ?? undefined);
  });
}

function startRequest(
  url: URL,
  options: OutboundRequest,
  agent: HttpAgent | HttpsAgent | false,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
  const settings: RequestOptions = {
    method: options.body === null ? 'GET' : 'POST',
    signal: options.signal,
    // Without an agent a connection of its own: none that was opened before its address was checked.
    agent,
    headers: {
      ...(options.body !== null && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(options.body),
      }),
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...(agent === false && { connection: 'close' }),
      ...options.headers,
    },
    ...(options.publicOnly && agent === false && { lookup: publicLookup }),
  };
  return url.protocol === 'https:' ? httpsRequest(url, settings, onAnswer) : httpRequest(url, settings, onAnswer);
}

/** Reads the body. If it is too long, broken or late, that is an error, or the end of a body that can be cut. */
function readAnswer(
  answer: IncomingMessage,
  { answerLimitBytes, cut = false }: OutboundRequest,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (error?: Error) => {
      clearTimeout(timer);
      if (error !== undefined && !cut) return reject(error);
      if (!answer.complete) answer.destroy();
      const bytes = Buffer.concat(chunks).subarray(0, answerLimitBytes);
      const { statusCode: status = 0, headers } = answer;
      resolve({
        status,
        headers,
        bytes,
        get text() {
          return bytes.toString('utf8');
        },
      });
    };
    const timer = cut ? setTimeout(end, CUT_AFTER_MS) : undefined;
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > answerLimitBytes) end(new AnswerTooLong());
    });
    answer.on('end', () => end());
    answer.on('error', end);
  });
}
