/** Free TCP and UDP ports for tests. */

import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { until } from './until.ts';

/**
 * Below the RTP ranges and the system's ephemeral ports, so that no other socket takes one by chance. Above 10,080, the
 * last port that `fetch` refuses (WHATWG Fetch, bad ports): a product there would seem not to start.
 */
const FIRST = 10_100;
const COUNT = 6_900;
/** SIPp also uses the second port above the given one. */
const STEP = 4;
const MAX_TRIES = 200;

/** The next slot to try. Counts up, so that concurrent calls get different ports; starts at random in each process. */
let next = randomInt(COUNT / STEP);

/** A port of 127.0.0.1 that is free for UDP and TCP, like the three above it. No other test process gets it. */
export async function freePort(): Promise<number> {
  return freePorts(STEP);
}

/** The first of `count` ports in a row, all of them free. */
export async function freePorts(count: number): Promise<number> {
  const slots = Math.ceil(count / STEP);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (next + slots > COUNT / STEP) next = 0;
    const first = FIRST + next * STEP;
    next += slots;
    if ((await areFree(first, slots * STEP)) && (await claim(first, slots))) return first;
    // Elsewhere: another process may have taken more slots in a row than there are tries.
    next = randomInt(COUNT / STEP);
  }
  throw new Error('no free port was found');
}

async function areFree(first: number, count: number): Promise<boolean> {
  for (let port = first; port < first + count; port += 1) if (!(await isFree(port))) return false;
  return true;
}

/**
 * Reserves ports among all test processes of this machine until this process ends, by sockets with names in Linux's
 * abstract namespace, which the kernel always frees when the process ends.
 */
async function claim(first: number, slots: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  for (let slot = 0; slot < slots; slot += 1) {
    const server = createServer().unref();
    server.listen({ path: `\0ringkey-test-port-${first + slot * STEP}` });
    const taken = await once(server, 'listening').then(
      () => false,
      () => true,
    );
    if (taken) return false;
  }
  return true;
}

async function isFree(port: number): Promise<boolean> {
  const udp = createSocket('udp4');
  const tcp = createServer();
  try {
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
    tcp.listen(port, '127.0.0.1');
    await once(tcp, 'listening');
    return true;
  } catch {
    // In use for UDP or TCP.
    return false;
  } finally {
    await Promise.all([closed(udp), closed(tcp)]);
  }
}

function closed(server: { close(done: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Resolves when a process has bound the port, read from /proc: a probe packet would count as a SIP message. */
export async function udpPortBound(port: number, limitMs: number): Promise<void> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  await until(limitMs, async () => {
    const [, ...rows] = (await readFile('/proc/net/udp', 'utf8')).split('\n');
    return rows.some((row) => row.trim().split(/\s+/)[1]?.endsWith(suffix));
  });
}
