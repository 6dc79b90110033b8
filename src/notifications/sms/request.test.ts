import { afterEach, expect, it, vi } from 'vitest';
import { askCarrier } from './request.ts';

afterEach(() => vi.unstubAllGlobals());

/** As `fetch` fails: with the reason as its cause. */
function failing(cause: Error): void {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
}

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

it.each([
  ['refused', coded('ECONNREFUSED', { syscall: 'connect' })],
  ['unknown by name', coded('ENOTFOUND', { syscall: 'getaddrinfo' })],
  ['silent while connecting', coded('UND_ERR_CONNECT_TIMEOUT')],
  ['silent while connecting, says the system', coded('ETIMEDOUT', { syscall: 'connect' })],
  [
    'silent at each of its addresses',
    Object.assign(new AggregateError([coded('ETIMEDOUT'), coded('ENETUNREACH')]), { code: 'ETIMEDOUT' }),
  ],
])('nothing was sent to a carrier that is %s', async (_, cause) => {
  failing(cause);
  expect(await askCarrier('https://carrier.example', {})).toMatchObject({ type: 'unanswered', sent: false });
});

it.each([
  ['is reset', coded('ECONNRESET', { syscall: 'read' })],
  ['dies of silence', coded('ETIMEDOUT', { syscall: 'read' })],
  ['is closed', coded('UND_ERR_SOCKET')],
  ['has no answer in time', coded('UND_ERR_HEADERS_TIMEOUT')],
])('a text may have been sent to a carrier whose connection %s', async (_, cause) => {
  failing(cause);
  expect(await askCarrier('https://carrier.example', {})).toMatchObject({ type: 'unanswered', sent: true });
});
