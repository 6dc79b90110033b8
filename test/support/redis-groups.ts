/** Redis as people run it for availability: Sentinels with a master and a replica, and a cluster. Real processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './ports.ts';
import { until } from './until.ts';

/** Files of a certificate for 127.0.0.1. With it, all connections of a group use TLS. */
export interface GroupTls {
  certificateFile: string;
  keyFile: string;
  /** Of the authority that signed it. */
  authorityFile: string;
}

export interface RedisGroup {
  /** As in REDIS_URL. */
  url: string;
  /** Addresses of single servers of the group, as in REDIS_URL. */
  serverUrls: string[];
  /** Sends a signal to a master that has keys of ours: SIGKILL, or SIGSTOP for one that hangs. */
  signalMaster(signal: NodeJS.Signals): Promise<void>;
  /** Lets the stopped server of {@link signalMaster} continue. */
  resume(): void;
  /** Resolves when another server has taken over for the one that got the signal. */
  failedOver(): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const PASSWORD = 'group';
const MASTER = 'ringkey-master';
/** How soon a silent server counts as gone. */
const DOWN_AFTER_MS = 1_000;
const LIMIT_MS = 120_000;
/** A key in the slot of the webhook queue. */
const QUEUE_KEY = 'bull:{ringkey-webhooks}:meta';

const schemeOf = (tls: GroupTls | null) => (tls === null ? 'redis' : 'rediss');

export async function startSentinels(tls: GroupTls | null = null): Promise<RedisGroup> {
  const processes = await RedisProcesses.create(5, tls);
  const { ports } = processes;
  const [first = 0, second = 0, ...watchers] = ports;
  await processes.start(first, []);
  await processes.start(second, [`replicaof ${HOST} ${first}`]);
  for (const port of watchers) {
    await processes.start(
      port,
      [
        `sentinel monitor ${MASTER} ${HOST} ${first} 2`,
        `sentinel auth-pass ${MASTER} ${PASSWORD}`,
        `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
        `sentinel failover-timeout ${MASTER} 3000`,
      ],
      ['--sentinel'],
    );
  }
  const [watcher = 0] = watchers;
  const facts = async () => {
    const [flat] = [(await processes.ask(watcher, 'sentinel', 'master', MASTER)) as string[]];
    return new Map(flat.map((name, at) => [name, flat[at + 1] ?? '']));
  };
  const masterPort = async () => Number((await facts()).get('port'));
  await until(LIMIT_MS, async () => {
    const known = await facts();
    return known.get('num-slaves') === '1' && known.get('num-other-sentinels') === '2';
  });
  let signalled = 0;
  return {
    url: `${schemeOf(tls)}+sentinel://:${PASSWORD}@${watchers.map((port) => `${HOST}:${port}`).join(',')}/${MASTER}?sentinel_password=${PASSWORD}`,
    serverUrls: watchers.map((port) => `${schemeOf(tls)}://:${PASSWORD}@${HOST}:${port}`),
    async signalMaster(signal) {
      signalled = await masterPort();
      processes.signal(signalled, signal);
    },
    failedOver: () => until(LIMIT_MS, async () => (await masterPort()) !== signalled),
    resume: () => processes.signal(signalled, 'SIGCONT'),
    close: () => processes.close(),
  };
}

export async function startCluster(tls: GroupTls | null = null): Promise<RedisGroup> {
  const processes = await RedisProcesses.create(12, tls);
  const ports = processes.ports.slice(0, 6);
  const busOf = (port: number) => port + 6;
  for (const port of ports) {
    await processes.start(port, [
      'cluster-enabled yes',
      `cluster-port ${busOf(port)}`,
      `cluster-config-file nodes-${port}.conf`,
      `cluster-node-timeout ${DOWN_AFTER_MS}`,
    ]);
  }
  const [first = 0] = ports;
  const ranges = [
    ['0', '5460'],
    ['5461', '10922'],
    ['10923', '16383'],
  ] as const;
  for (const [at, range] of ranges.entries()) await processes.ask(ports[at] ?? 0, 'cluster', 'addslotsrange', ...range);
  for (const port of ports.slice(1)) {
    await processes.ask(first, 'cluster', 'meet', HOST, String(port), String(busOf(port)));
  }
  const idOf = (port: number) => processes.ask(port, 'cluster', 'myid') as Promise<string>;
  for (const [at, port] of ports.slice(3).entries()) {
    const master = await idOf(ports[at] ?? 0);
    // The replica may not have heard of its master yet.
    await until(LIMIT_MS, () => processes.ask(port, 'cluster', 'replicate', master).then(Boolean, () => false));
  }
  const isReady = async (port: number) => {
    const info = String(await processes.ask(port, 'cluster', 'info'));
    const nodes = String(await processes.ask(port, 'cluster', 'nodes'));
    return (
      info.includes('cluster_state:ok') &&
      nodes.split('\n').filter((line) => /slave .* connected/.test(line)).length === 3
    );
  };
  for (const port of ports) await until(LIMIT_MS, () => isReady(port));
  const slot = Number(await processes.ask(first, 'cluster', 'keyslot', QUEUE_KEY));
  /** The port of the slot's master, as a server knows it that is not of that shard. */
  const masterPort = async () => {
    const index = ranges.findIndex(([from, to]) => Number(from) <= slot && slot <= Number(to));
    const observer = ports[(index + 1) % 3] ?? 0;
    const slots = (await processes.ask(observer, 'cluster', 'slots')) as [number, number, [string, number]][];
    return slots.find(([from, to]) => from <= slot && slot <= to)?.[2][1] ?? 0;
  };
  let signalled = 0;
  return {
    url: `${schemeOf(tls)}+cluster://:${PASSWORD}@${ports.map((port) => `${HOST}:${port}`).join(',')}`,
    serverUrls: ports.map((port) => `${schemeOf(tls)}://:${PASSWORD}@${HOST}:${port}`),
    async signalMaster(signal) {
      signalled = await masterPort();
      processes.signal(signalled, signal);
    },
    failedOver: () =>
      until(LIMIT_MS, async () => {
        const port = await masterPort();
        return port !== signalled && String(await processes.ask(port, 'cluster', 'info')).includes('cluster_state:ok');
      }),
    resume: () => processes.signal(signalled, 'SIGCONT'),
    close: () => processes.close(),
  };
}

class RedisProcesses {
  readonly ports: readonly number[];
  readonly #folder: string;
  readonly #tls: GroupTls | null;
  readonly #running = new Map<number, ChildProcess>();
  /** Also ends them when the test process dies. */
  readonly #kill = () => {
    for (const child of this.#running.values()) child.kill('SIGKILL');
  };

  constructor(folder: string, ports: readonly number[], tls: GroupTls | null) {
    this.#tls = tls;
    this.#folder = folder;
    this.ports = ports;
    process.once('exit', this.#kill);
  }

  static async create(count: number, tls: GroupTls | null): Promise<RedisProcesses> {
    const first = await freePorts(count);
    const folder = await mkdtemp(join(tmpdir(), 'ringkey-redis-'));
    return new RedisProcesses(
      folder,
      Array.from({ length: count }, (_, at) => first + at),
      tls,
    );
  }

  /** Starts a server and waits until it answers. */
  async start(port: number, settings: readonly string[], args: readonly string[] = []): Promise<void> {
    const folder = join(this.#folder, String(port));
    await mkdir(folder);
    const file = join(folder, 'redis.conf');
    const isSentinel = args.length > 0;
    const common = [
      `bind ${HOST}`,
      ...this.#listening(port),
      `dir ${folder}`,
      `requirepass ${PASSWORD}`,
      'loglevel warning',
      `logfile ${join(folder, 'log')}`,
    ];
    const ofServers = [
      `masterauth ${PASSWORD}`,
      'save ""',
      'appendonly no',
      'maxmemory-policy noeviction',
      'repl-diskless-sync-delay 0',
    ];
    const ofSentinels = [`sentinel sentinel-pass ${PASSWORD}`];
    await writeFile(file, [...common, ...(isSentinel ? ofSentinels : ofServers), ...settings].join('\n'));
    const child = spawn('redis-server', [file, ...args], { stdio: 'ignore' });
    this.#running.set(port, child);
    await until(LIMIT_MS, () => this.ask(port, 'ping').then(Boolean, () => false));
  }

  #listening(port: number): string[] {
    const tls = this.#tls;
    if (tls === null) return [`port ${port}`];
    return [
      'port 0',
      `tls-port ${port}`,
      `tls-cert-file ${tls.certificateFile}`,
      `tls-key-file ${tls.keyFile}`,
      `tls-ca-cert-file ${tls.authorityFile}`,
      'tls-auth-clients no',
      'tls-replication yes',
      'tls-cluster yes',
    ];
  }

  async ask(port: number, command: string, ...args: string[]): Promise<unknown> {
    const ca = this.#tls === null ? null : await readFile(this.#tls.authorityFile);
    const once = { lazyConnect: true, retryStrategy: () => null, ...(ca !== null && { tls: { ca } }) };
    const redis = new Redis({ host: HOST, port, password: PASSWORD, ...once });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await redis.call(command, ...args);
    } finally {
      redis.disconnect();
    }
  }

  signal(port: number, signal: NodeJS.Signals): void {
    this.#running.get(port)?.kill(signal);
  }

  async close(): Promise<void> {
    process.off('exit', this.#kill);
    const children = [...this.#running.values()].filter(
      (child) => child.exitCode === null && child.signalCode === null,
    );
    await Promise.all(
      children.map((child) => {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        return exited;
      }),
    );
    await rm(this.#folder, { recursive: true, force: true });
  }
}
