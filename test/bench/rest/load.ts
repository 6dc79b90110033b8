/**
 * The load generator, a separate process: a few connections with one request at a time each, as bytes on a plain
 * socket, so that it uses little CPU, and the same for floor and product.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface LoadOrder {
  port: number;
  connections: number;
  /** Whole requests as bytes on the wire, sent in turns. */
  requests: readonly string[];
  /** Ends after this many seconds or answers. */
  until: { seconds: number } | { answers: number };
}

export interface LoadReport {
  answers: number;
  /** Answers other than 200. */
  failed: number;
  /** The first failed answer. */
  failure: string | null;
  seconds: number;
  latencyMs: { p50: number; p95: number; p99: number };
}

const HEAD_END = '\r\n\r\n';

process.on('message', (order) => {
  void runLoad(order as LoadOrder).then(
    (report) => process.send?.(report),
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
for (const end of ['SIGTERM', 'disconnect'] as const) process.on(end, () => process.exit(0));
process.send?.('ready');

async function runLoad({ port, connections, requests, until }: LoadOrder): Promise<LoadReport> {
  const all = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const latencies: number[] = [];
  const failures: string[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const isOver = () =>
    'answers' in until ? sent >= until.answers : performance.now() >= startedAt + until.seconds * 1_000;
  await Promise.all(
    all.map(async (connection) => {
      while (!isOver()) {
        const request = requests[sent % requests.length] ?? '';
        sent += 1;
        const sentAt = performance.now();
        const answer = await connection.exchange(request);
        latencies.push(performance.now() - sentAt);
        if (!answer.startsWith('HTTP/1.1 200')) failures.push(answer.slice(0, 2_000));
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN;
  return {
    answers: latencies.length,
    failed: failures.length,
    failure: failures[0] ?? null,
    seconds,
    latencyMs: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
  };
}

class Connection {
  readonly #socket: Socket;
  #received = '';
  #onAnswer: ((answer: string) => void) | null = null;
  #onError: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#receive(chunk));
    socket.on('error', (error) => this.#onError?.(error));
    socket.on('close', () => this.#onError?.(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  exchange(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#onAnswer = resolve;
      this.#onError = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#onError = null;
    this.#socket.end();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < headEnd + HEAD_END.length + length) return;
    const answer = this.#received;
    this.#received = '';
    this.#onAnswer?.(answer);
  }
}
