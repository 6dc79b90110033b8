/**
 * Sends call events to the endpoints that ask for them: one attempt, in the order of the call, from memory. A late event
 * is dropped, because it is of no use. Nothing here waits for payment events, or makes them wait: it has its own
 * connections, and an endpoint's failures do not count against it.
 */
import type { BaseLogger } from 'pino';
import { callEventResource } from '../../contract/call-events.ts';
import type { Sql } from '../../db/pool.ts';
import { type CallEventEndpoint, findCallEventEndpoints } from '../../db/webhooks/call-event-endpoints.ts';
import type { CallEvent } from '../../domain/call-progress.ts';
import type { CallId, WebhookEndpointId } from '../../domain/ids.ts';
import { Connections } from '../../lib/http-client/post.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { CallProgress } from '../progress/ports.ts';
import { attempt, type Sender } from './attempt.ts';
import { webhookSecretContext } from './endpoints.ts';

interface CallEventDeps {
  sql: Sql;
  vault: Vault | null;
  progress: Pick<CallProgress, 'subscribeCalls'>;
  /** Claims a call for this process, so that one worker sends its events. Never rejects. */
  claim: (event: Pick<CallEvent, 'callId' | 'sequence'>) => Promise<boolean>;
  privateTargets: boolean;
  /** An older event is dropped. The default is {@link LATE_MS}. */
  lateMs?: number;
  log: Pick<BaseLogger, 'warn'>;
}

const LATE_MS = 10_000;
const ANSWER_LIMIT_MS = 5_000;
/** Waiting events of one endpoint, and endpoints with waiting events. */
const MAX_WAITING = 100;
const MAX_ENDPOINTS = 500;
/** Calls whose events are being looked at. */
const MAX_CALLS = 2_000;
/** How long the endpoints of an account are remembered. */
const ENDPOINTS_MS = 5_000;
const MAX_ACCOUNTS = 5_000;

interface Waiting {
  endpoint: CallEventEndpoint;
  event: CallEvent;
}

interface Known {
  endpoints: Promise<CallEventEndpoint[]>;
  until: number;
}

export class CallEventSender {
  readonly #deps: CallEventDeps;
  readonly #sender: Sender;
  readonly #stop = new AbortController();
  readonly #unsubscribe: () => void;
  /** The work on a call's last event, so that its events keep their order. */
  readonly #calls = new Map<CallId, Promise<void>>();
  readonly #queues = new Map<WebhookEndpointId, Waiting[]>();
  readonly #known = new Map<string, Known>();
  readonly #sending = new Set<Promise<void>>();

  constructor(deps: CallEventDeps) {
    this.#deps = deps;
    const { privateTargets } = deps;
    const [connections, stop] = [new Connections(), this.#stop.signal];
    this.#sender = { connections, privateTargets, answerLimitMs: ANSWER_LIMIT_MS, stop };
    this.#unsubscribe = deps.progress.subscribeCalls((event) => this.#take(event));
  }

  /** Aborts what is being sent. Idempotent. */
  async close(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#queues.clear();
    await Promise.all([...this.#sending, ...this.#calls.values()]);
    this.#sender.connections.close();
  }

  #take(event: CallEvent): void {
    const { callId } = event;
    const before = this.#calls.get(callId);
    if (before === undefined && this.#calls.size >= MAX_CALLS) return;
    const work = (before ?? Promise.resolve()).then(() => this.#queue(event));
    this.#calls.set(callId, work);
    void work.then(() => this.#calls.get(callId) === work && this.#calls.delete(callId));
  }

  /** Never rejects. */
  async #queue(event: CallEvent): Promise<void> {
    const endpoints = (await this.#endpointsOf(event)).filter(({ events }) => events.includes(event.type));
    if (endpoints.length === 0 || this.#stop.signal.aborted || !(await this.#deps.claim(event))) return;
    for (const endpoint of endpoints) this.#enqueue({ endpoint, event });
  }

  #enqueue(waiting: Waiting): void {
    const { id } = waiting.endpoint;
    const queue = this.#queues.get(id);
    if (queue !== undefined) {
      if (queue.length < MAX_WAITING) queue.push(waiting);
    } else if (this.#queues.size < MAX_ENDPOINTS) {
      this.#queues.set(id, [waiting]);
      const sending = this.#sendAll(id);
      this.#sending.add(sending);
      void sending.then(() => this.#sending.delete(sending));
    }
  }

  /** One at a time, first in, first out. Never rejects. */
  async #sendAll(id: WebhookEndpointId): Promise<void> {
    const { lateMs = LATE_MS } = this.#deps;
    for (let next = this.#queues.get(id)?.shift(); next !== undefined; next = this.#queues.get(id)?.shift()) {
      if (Date.now() - Date.parse(next.event.at) <= lateMs) await this.#send(next);
    }
    this.#queues.delete(id);
  }

  async #send({ endpoint: { id, url, secrets: sealed }, event }: Waiting): Promise<void> {
    const secrets = this.#open(id, sealed);
    if (secrets === null) return;
    const body = JSON.stringify(callEventResource(event));
    const { mode, id: eventId } = event;
    await attempt(this.#sender, { url, mode, endpointId: id, eventId, attempts: 0, body, secrets });
  }

  #open(id: WebhookEndpointId, sealed: readonly string[]): string[] | null {
    const { vault, log } = this.#deps;
    try {
      if (vault === null) return null;
      return sealed.map((secret) => vault.open(secret, webhookSecretContext(id)));
    } catch (error) {
      log.warn({ err: error, webhookEndpointId: id }, 'call event not sent: the signing secret cannot be read');
      return null;
    }
  }

  #endpointsOf({ accountId, mode }: CallEvent): Promise<CallEventEndpoint[]> {
    const key = `${accountId} ${mode}`;
    const known = this.#known.get(key);
    if (known !== undefined && known.until > performance.now()) return known.endpoints;
    if (this.#known.size >= MAX_ACCOUNTS) this.#known.clear();
    const endpoints = findCallEventEndpoints(this.#deps.sql, { accountId, mode }).catch((error: unknown) => {
      this.#deps.log.warn({ err: error, accountId }, 'endpoints for call events could not be read');
      this.#known.delete(key);
      return [];
    });
    this.#known.set(key, { endpoints, until: performance.now() + ENDPOINTS_MS });
    return endpoints;
  }
}
