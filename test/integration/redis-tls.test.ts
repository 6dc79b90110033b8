/** Sentinels and clusters that accept only TLS: a running product uses them, also after a failover. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
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
    expect(product.output()).toMatch(/self-signed certificate|unable to (get|verify)/);
    expect(await redisOf(product)).not.toBe('ok');
    await product.close();
  } finally {
    await group.close();
  }
});
