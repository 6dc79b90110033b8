/** Sentinels and clusters that accept only TLS: a running product uses them, also after a failover. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectRedis } from '../../src/lib/redis/connect.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { type GroupTls, startCluster, startSentinels } from '../support/redis-groups.ts';
import { makeCertificate } from '../support/test-certificates.ts';

const POLL = { timeout: 120_000, interval: 250 };

const folder = mkdtempSync(join(tmpdir(), 'ringkey-redis-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tlsFiles(): GroupTls {
  const authority = makeCertificate({ name: 'test authority', isAuthority: true });
  const own = makeCertificate({ name: '127.0.0.1', issuer: authority, hasTnAuthList: false, isOfLoopback: true });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return {
    certificateFile: write('certificate.pem', own.pem),
    keyFile: write('key.pem', own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
    authorityFile: write('authority.pem', authority.pem),
  };
}

async function redisOf({ baseUrl }: TestProduct): Promise<string> {
  const { checks } = (await (await fetch(`${baseUrl}/readyz`)).json()) as { checks: Record<string, string> };
  return checks.redis ?? 'unknown';
}

test.each([
  ['Sentinels', startSentinels],
  ['a cluster', startCluster],
] as const)('a product uses %s over TLS, and follows a failover', async (_name, start) => {
  const tls = tlsFiles();
  const group = await start(tls);
  expect(group.url).toMatch(/^rediss\+/);
  const settings = { RINGKEY_ROLES: 'api,worker', RINGKEY_SYNTHESIZER: 'none', REDIS_URL: group.url };
  const product = await startProduct({ ...settings, NODE_EXTRA_CA_CERTS: tls.authorityFile }).catch(
    async (error: unknown) => {
      await group.close();
      throw error;
    },
  );
  try {
    await expect.poll(() => redisOf(product), POLL).toBe('ok');
    await group.signalMaster('SIGKILL');
    await group.failedOver();
    await expect.poll(() => redisOf(product), POLL).toBe('ok');
  } finally {
    await product.close();
    await group.close();
  }
});

test('a product that does not know the authority of the certificate starts without Redis and says why', async () => {
  const tls = tlsFiles();
  const group = await startSentinels(tls);
  const settings = { RINGKEY_ROLES: 'api,worker', RINGKEY_SYNTHESIZER: 'none', REDIS_URL: group.url };
  try {
    const product = await startProduct(settings);
    await expect.poll(() => product.output(), POLL).toMatch(/self-signed certificate|unable to (get|verify)/);
    expect(await redisOf(product)).not.toBe('ok');
    await product.close();
  } finally {
    await group.close();
  }
});

/** Forwards to a server. Its answers arrive only after the client has hung up, and with them its answer to that. */
async function startHoldingProxy(target: URL) {
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const held: Buffer[] = [];
    const server = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    client.on('error', () => undefined).on('data', (bytes) => server.write(bytes));
    client.on('end', () => server.end());
    server.on('error', () => undefined).on('data', (bytes) => held.push(bytes));
    server.on('end', () => client.end(Buffer.concat(held)));
  });
  await once(proxy.listen(0, target.hostname), 'listening');
  return { port: (proxy.address() as AddressInfo).port, close: () => proxy.close() };
}

test('an untrusted server that answers after the client gave up causes no uncaught error', async () => {
  const group = await startSentinels(tlsFiles());
  const proxy = await startHoldingProxy(new URL(group.serverUrls[0] ?? ''));
  const uncaught = vi.fn();
  process.on('uncaughtExceptionMonitor', uncaught);
  const redis = connectRedis(`rediss+sentinel://127.0.0.1:${proxy.port}/any`);
  onTestFinished(async () => {
    process.off('uncaughtExceptionMonitor', uncaught);
    redis.disconnect();
    proxy.close();
    await group.close();
  });
  // The first connection is over when the second one fails.
  for (const _attempt of [1, 2]) await new Promise<void>((resolve) => redis.once('error', () => resolve()));
  expect(uncaught).not.toHaveBeenCalled();
});
