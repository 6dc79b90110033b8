/** The agent of the docs page about Node.js, run as the page says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../src/http/docs/pages.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { freePort } from '../support/ports.ts';

export class NodeAgent {
  readonly uri: string;
  readonly #folder: string;
  readonly #program: ChildProcess;
  #output = '';

  private constructor(uri: string, folder: string, program: ChildProcess) {
    this.uri = uri;
    this.#folder = folder;
    this.#program = program;
    for (const stream of [program.stdout, program.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Resolves when it answers calls. */
  static async start(baseUrl: string): Promise<NodeAgent> {
    const folder = await mkdtemp(join(tmpdir(), 'ringkey-agent-'));
    await writeFile(join(folder, 'agent.mjs'), codeOf('platform-node', 'agent', { base_url: baseUrl, key: DEMO_KEY }));
    const port = await freePort();
    const env = { PATH: process.env.PATH, AGENT_PORT: String(port) };
    const program = spawn(process.execPath, ['agent.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const agent = new NodeAgent(`sip:agent@127.0.0.1:${port}`, folder, program);
    const listening = new Promise<void>((resolve, reject) => {
      program.stdout?.on('data', () => /answers calls/.test(agent.#output) && resolve());
      program.once('exit', () => reject(new Error(`the agent ended: ${agent.#output}`)));
    });
    await listening.catch(async (error: unknown) => {
      await agent.close();
      throw error;
    });
    return agent;
  }

  /** Standard output and error so far. */
  output(): string {
    return this.#output;
  }

  async close(): Promise<void> {
    if (this.#program.exitCode === null && this.#program.signalCode === null) {
      const ended = once(this.#program, 'exit');
      this.#program.kill();
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
