import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { newId } from '../../domain/ids.ts';
import { createVault } from '../../lib/vault/vault.ts';
import { isKnownBrowser, rememberBrowser } from './session-cookie.ts';

const vault = createVault([Buffer.alloc(32, 1)]);
const session = { id: newId('CheckoutSession'), callerPhone: '+15550101234' };
const NOON = new Date('2026-01-01T12:00:00Z');
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

it.each(['http', 'https'] as const)('is known for half an hour over %s', (protocol) => {
  let cookie = '';
  const reply = { header: (_name: string, value: string) => (cookie = value.split(';', 1)[0] ?? '') };
  rememberBrowser({ protocol } as FastifyRequest, reply as unknown as FastifyReply, vault, session, NOON);
  const request = { headers: { cookie: `other=1; ${cookie}` }, protocol };
  expect(isKnownBrowser(request, vault, session, minutesLater(29))).toBe(true);
  expect(isKnownBrowser(request, vault, session, minutesLater(30))).toBe(false);
  expect(isKnownBrowser(request, vault, { ...session, callerPhone: '+15550101235' }, NOON)).toBe(false);
});
