/** Certificates of the service's own addresses: read from a TLS server, and told before they end. */
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { readCertificates } from '../../src/attention/certificates.ts';
import { sweepAttention } from '../../src/attention/sweep.ts';
import { attentionWords } from '../../src/contract/attention-words.ts';
import type { AttentionItem } from '../../src/domain/attention.ts';
import { useTestDatabase } from '../support/fixtures.ts';
import { makeCertificate } from '../support/test-certificates.ts';

const db = useTestDatabase();
const NEVER = new AbortController().signal;
const DAY_MS = 86_400_000;

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((closed) => server.close(closed))));
});

/** A TLS server whose certificate ends in this many days. */
async function serverUntil(days: number) {
  const certificate = (ends: number) => {
    const { pem, privateKey } = makeCertificate({
      name: 'pay.example.com',
      isOfLoopback: true,
      hasTnAuthList: false,
      notAfter: new Date(Date.now() + ends * DAY_MS),
    });
    return { cert: pem, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
  };
  const server = createServer(certificate(days), (socket) => socket.on('error', () => undefined).end());
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  return { place, renew: (ends: number) => server.setSecureContext(certificate(ends)) };
}

async function itemsOf({ port }: { port: number }) {
  await sweepAttention(db.database, null);
  const { rows } = await db.database.query<Pick<AttentionItem, 'kind' | 'subject' | 'merchantId' | 'facts'>>(
    `select kind, subject, merchant_id as "merchantId", facts from attention_items
      where closed_at is null and subject = $1 order by kind desc`,
    [`127.0.0.1:${port}`],
  );
  return rows.map((row) => attentionWords({ ...row, businessName: null }).title.replace(/\d+ \w+ \d{4}$/, 'DAY'));
}

test('a certificate is told 21 days before it ends, again and urgently 3 days before, and not after it is renewed', async () => {
  const { place, renew } = await serverUntil(30);
  const read = () => readCertificates(db.database, [place], NEVER);
  const name = `127.0.0.1:${place.port}`;
  await read();
  expect(await itemsOf(place)).toEqual([]);
  renew(20);
  await read();
  const expires = `Certificate of ${name} expires on DAY`;
  expect(await itemsOf(place)).toEqual([expires]);
  renew(2);
  await read();
  expect(await itemsOf(place)).toEqual([expires, `Certificate of ${name} must be renewed before DAY`]);
  renew(-0.5);
  await read();
  expect(await itemsOf(place)).toEqual(Array(2).fill(`Certificate of ${name} expired on DAY`));
  renew(90);
  await read();
  expect(await itemsOf(place)).toEqual([]);
});

test('an address that is not reached keeps what was read there, until the settings no longer name it', async () => {
  const { place } = await serverUntil(10);
  await readCertificates(db.database, [place], NEVER);
  const [server] = servers.splice(0);
  await new Promise((closed) => server?.close(closed));
  await readCertificates(db.database, [place], NEVER);
  expect(await itemsOf(place)).toHaveLength(1);
  await db.database.query(`update certificates set read_at = now() - interval '8 days' where port = $1`, [place.port]);
  await readCertificates(db.database, [], NEVER);
  expect(await itemsOf(place)).toEqual([]);
});
