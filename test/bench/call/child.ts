/** A Node process of the bench, which answers one message at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

const STOP_LIMIT_MS = 30_000;

export class Child {
  readonly #process: ChildProcess;
  readonly #name: string;
  /** Its output, to report a failure. */
  output = '';

  constructor(script: string, args: readonly string[], options: { env?: NodeJS.ProcessEnv; nodeOptions?: string[] }) {
    this.#name = script.split('/').at(-1) ?? script;
    const { env = process.env, nodeOptions = [] } = options;
    this.#process = fork(script, [...args], { env, execArgv: nodeOptions, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const take = (chunk: Buffer) => {
      this.output = (this.output + chunk.toString()).slice(-20_000);
    };
    this.#process.stdout?.on('data', take);
    this.#process.stderr?.on('data', take);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get alive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /**
   * Sends a message and waits for the next one back. @throws if the process ends instead, or does not answer in time
   */
  async ask<T>(message: unknown, limitMs = 10_000): Promise<T> {
    const answer = this.hear<T>(limitMs);
    this.#process.send(message as never);
    return answer;
  }

  /** The next message. @throws like {@link ask} */
  async hear<T>(limitMs: number): Promise<T> {
    const settled = new AbortController();
    const { signal } = settled;
    const limit = AbortSignal.timeout(limitMs);
    const gone = once(this.#process, 'exit', { signal }).then(() => this.#fail('ended'));
    const late = once(limit, 'abort', { signal }).then(() => this.#fail('said nothing in time'));
    gone.catch(() => undefined);
    late.catch(() => undefined);
    try {
      const answer = once(this.#process, 'message', { signal }) as Promise<[T]>;
      const [message] = (await Promise.race([answer, gone, late])) as [T];
      return message;
    } finally {
      settled.abort();
    }
  }

  /** Resolves to the exit code when the process has exited. */
  async stop(): Promise<number | null> {
    if (!this.alive) return this.#process.exitCode;
    const exited = once(this.#process, 'exit');
    const killer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_LIMIT_MS);
    this.#process.kill('SIGTERM');
    await exited;
    clearTimeout(killer);
    return this.#process.exitCode;
  }

  #fail(how: string): never {
    throw new Error(`${this.#name} ${how}:\n${this.output}`);
  }
}
