/** docker/proxy/nginx.conf in a real nginx, without TLS, in front of a server that repeats what it gets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EVENT_STREAM } from '../src/http/api/plugins/metrics.ts';
import { freePort } from './support/ports.ts';

const CONFIG = readFileSync(new URL('../docker/proxy/nginx.conf', import.meta.url), 'utf8');
const BODY_LIMIT_BYTES = 64 * 1_024;
/** Only ends what hangs. */
const START_LIMIT_MS = 120_000;

let folder: string;
let upstream: Server;
let nginx: ChildProcess;
let url: string;
/** The open event stream. */
let stream: ServerResponse | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ringkey-nginx-'));
  upstream = createServer((request, response) => {
    if (request.url === '/stream') {
      stream = response.setHeader('content-type', EVENT_STREAM).setHeader('x-accel-buffering', 'no');
      stream.write('retry: 1000\n\n');
    } else response.setHeader('x-request-id', 'req_1').end(JSON.stringify(request.headers));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'nginx.conf'), testConfig(port, (upstream.address() as AddressInfo).port));
  nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let faults = '';
  nginx.stderr?.on('data', (chunk: Buffer) => {
    faults += chunk.toString();
  });
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(async () => nginx.exitCode !== null || (await answers()), { timeout: START_LIMIT_MS });
  if (nginx.exitCode !== null) throw new Error(`nginx did not start:\n${faults}`);
});

afterAll(async () => {
  stream?.destroy();
  if (nginx.exitCode === null && nginx.kill('SIGTERM')) await once(nginx, 'exit');
  upstream.close();
  upstream.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** The second server of the file, on loopback and with its files in the test's folder. */
function testConfig(port: number, upstreamPort: number): string {
  const [head = '', , , ...rest] = CONFIG.split(/^server \{\n/m);
  expect(rest).toEqual([]);
  const server = (CONFIG.split(/^server \{\n/m)[2] ?? '')
    .replace(/^ {2}(?:listen|ssl_\w+|server_name) .*\n/gm, '')
    .replaceAll('/var/log/nginx/', `${folder}/`);
  const upstreams = head.replace('127.0.0.1:8080', `127.0.0.1:${upstreamPort}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (of) => `${of}_temp_path ${folder}/${of};`,
  );
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {
${temporary.join('\n')}
${upstreams}
server {
listen 127.0.0.1:${port};
${server}
}`;
}

async function received(headers: Record<string, string>): Promise<IncomingHttpHeaders> {
  return (await (await fetch(`${url}/p/secret-code`, { headers })).json()) as IncomingHttpHeaders;
}

test('nginx tells the address of its client, whatever the client claims', async () => {
  const claims = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', host: 'pay.example.com' };
  const headers = await received(claims);
  expect(headers['x-forwarded-for']).toBe('127.0.0.1');
  expect(headers.forwarded).toBeUndefined();
});

test('nginx passes on each event of a stream while the stream is open', async () => {
  const response = await fetch(`${url}/stream`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('retry: 1000\n\n');
  stream?.write('data: 1\n\n');
  expect((await reader?.read())?.value).toBe('data: 1\n\n');
  await reader?.cancel();
});

test('nginx keeps metrics from outside', async () => {
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
});

test('nginx refuses a body that is larger than Ringkey accepts', async () => {
  const send = (bytes: number) => fetch(url, { method: 'POST', body: 'x'.repeat(bytes) });
  expect((await send(BODY_LIMIT_BYTES)).status).toBe(200);
  expect((await send(BODY_LIMIT_BYTES + 1)).status).toBe(413);
});

test('nginx writes no path of a pay link into its log', async () => {
  await received({});
  const log = () => readFileSync(join(folder, 'ringkey.log'), 'utf8');
  await expect.poll(log).toMatch(/^127\.0\.0\.1 \[.*\] GET 200 [\d.]+ req_1$/m);
  expect(log()).not.toContain('secret-code');
});
