/**
 * The load generator, a process of its own. Each connection is a bare socket with one request under way: what the
 * generator itself takes of the machine is small, and the same for the floor and the product.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface LoadOrder {
  port: number;
  connections: number;
  /** Whole requests as bytes on the wire, taken in turns. */
  requests: readonly string[];
  /** Ends after so many seconds, or so many answers. */
  until: { seconds: number } | { answers: number };
  /** Requests a second, evenly; null: each connection as fast as it is answered. */
  rate: number | null;
}

export interface LoadReport {
  answers: number;
  /** Any answer but 200. */
  failed: number;
  /** One of those, to look at. */
  failure: string | null;
  seconds: number;
  /** From when a request was due, so that one that had to wait for a connection counts whole. */
  latencyMs: { p50: number; p99: number };
  /** Of one processor. */
  cpuShare: number;
}

const HEAD_END = '\r\n\r\n';
const FINE_STEP_MS = 0.05;
const STEPS = 200_000;

process.on('message', (order) => {
  void run(order as LoadOrder).then(
    (report) => process.send?.(report),
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
for (const end of ['SIGTERM', 'disconnect'] as const) process.on(end, () => process.exit(0));
process.send?.('ready');

/** Counts of latencies in steps of 50 µs. */
class Latencies {
  readonly #counts = new Uint32Array(STEPS);
  #total = 0;

  add(ms: number): void {
    const step = Math.min(STEPS - 1, Math.floor(ms / FINE_STEP_MS));
    this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    this.#total += 1;
  }

  at(share: number): number {
    let seen = 0;
    const wanted = share * this.#total;
    for (let step = 0; step < STEPS; step += 1) {
      seen += this.#counts[step] ?? 0;
      if (seen >= wanted) return (step + 1) * FINE_STEP_MS;
    }
    return Number.NaN;
  }
}

class Load {
  readonly #order: LoadOrder;
  readonly #latencies = new Latencies();
  readonly #idle: Connection[] = [];
  #sent = 0;
  #answers = 0;
  #failed = 0;
  #failure: string | null = null;
  #endAt = Number.POSITIVE_INFINITY;
  /** When each request that waits for a connection was due. */
  readonly #waiting: number[] = [];

  constructor(order: LoadOrder) {
    this.#order = order;
  }

  async run(): Promise<LoadReport> {
    const { connections, port, until, rate } = this.#order;
    const all = await connectionsTo(port, connections);
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    if ('seconds' in until) this.#endAt = startedAt + until.seconds * 1_000;
    await (rate === null ? this.#flatOut(all) : this.#evenly(all, rate, startedAt));
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return {
      answers: this.#answers,
      failed: this.#failed,
      failure: this.#failure,
      seconds,
      latencyMs: { p50: this.#latencies.at(0.5), p99: this.#latencies.at(0.99) },
      cpuShare: (user + system) / 1e6 / seconds,
    };
  }

  async #flatOut(all: readonly Connection[]): Promise<void> {
    await Promise.all(
      all.map(async (connection) => {
        while (!this.#isOver()) await this.#exchange(connection, performance.now());
      }),
    );
  }

  async #evenly(all: readonly Connection[], rate: number, startedAt: number): Promise<void> {
    this.#idle.push(...all);
    const underWay = new Set<Promise<void>>();
    let due = 0;
    while (performance.now() < this.#endAt) {
      const now = performance.now();
      for (; startedAt + (due * 1_000) / rate <= now; due += 1) this.#waiting.push(startedAt + (due * 1_000) / rate);
      this.#serve(underWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(underWay);
  }

  #serve(underWay: Set<Promise<void>>): void {
    while (this.#waiting.length > 0) {
      const connection = this.#idle.pop();
      if (connection === undefined) return;
      const work: Promise<void> = this.#exchange(connection, this.#waiting.shift() ?? 0).then(() => {
        underWay.delete(work);
        this.#idle.push(connection);
        this.#serve(underWay);
      });
      underWay.add(work);
    }
  }

  #isOver(): boolean {
    const { until } = this.#order;
    return 'answers' in until ? this.#sent >= until.answers : performance.now() >= this.#endAt;
  }

  async #exchange(connection: Connection, dueAt: number): Promise<void> {
    const { requests } = this.#order;
    const request = requests[this.#sent % requests.length] ?? '';
    this.#sent += 1;
    const answer = await connection.exchange(request);
    this.#latencies.add(performance.now() - dueAt);
    this.#answers += 1;
    if (answer.startsWith('HTTP/1.1 200')) return;
    this.#failed += 1;
    this.#failure ??= answer.slice(0, 2_000);
  }
}

/** Kept from one order to the next, as an agent's platform keeps them. */
const kept = new Map<number, Connection[]>();

async function connectionsTo(port: number, count: number): Promise<Connection[]> {
  const all = (kept.get(port) ?? []).filter((connection) => connection.isOpen);
  while (all.length < count) all.push(await Connection.open(port));
  kept.set(port, all);
  return all.slice(0, count);
}

class Connection {
  readonly #socket: Socket;
  #received = '';
  #answered: ((answer: string) => void) | null = null;
  #failed: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 'open';
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  exchange(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < headEnd + HEAD_END.length + length) return;
    const answer = this.#received;
    this.#received = '';
    this.#failed = null;
    this.#answered?.(answer);
  }
}

const run = (order: LoadOrder) => new Load(order).run();
