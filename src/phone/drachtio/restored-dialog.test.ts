import { expect, test } from 'vitest';
import type { Dialog } from './library.ts';
import { factsOf } from './restored-dialog.ts';

const withHeaders = (headers: Record<string, string>) => ({ body: '', get: (name: string) => headers[name] });

function dialog(type: 'uac' | 'uas', invite: Record<string, string>, answer: Record<string, string>): Dialog {
  const sides = {
    sip: { callId: 'c1', localTag: 'ours', remoteTag: 'theirs' },
    local: { sdp: '', contact: '<sip:us@192.0.2.1>' },
    remote: { sdp: '', uri: 'sip:them@192.0.2.9' },
  };
  return { type, req: withHeaders(invite), res: withHeaders(answer), ...sides } as unknown as Dialog;
}

const ROUTES = '<sip:p1.example.com;lr>, <sip:p2.example.com;lr>;x=1';

test('an incoming call has their From, our To with our tag, and the proxies in order', () => {
  const invite = { From: '"Ann" <sip:ann@a.example>;tag=theirs', To: '<sip:pay@b.example>', 'Record-Route': ROUTES };
  expect(factsOf(dialog('uas', invite, {}))).toEqual({
    callId: 'c1',
    from: '<sip:pay@b.example>;tag=ours',
    to: '"Ann" <sip:ann@a.example>;tag=theirs',
    target: 'sip:them@192.0.2.9',
    routes: ['<sip:p1.example.com;lr>', '<sip:p2.example.com;lr>;x=1'],
    contact: '<sip:us@192.0.2.1>',
  });
});

test('an outgoing call has our From, their To with their tag, and the proxies of the answer in reverse', () => {
  const invite = {
    From: '<sip:pay@b.example>;tag=ours',
    To: '<sip:agent@a.example>',
    'Record-Route': 'none of theirs',
  };
  expect(factsOf(dialog('uac', invite, { 'Record-Route': ROUTES }))).toMatchObject({
    from: '<sip:pay@b.example>;tag=ours',
    to: '<sip:agent@a.example>;tag=theirs',
    routes: ['<sip:p2.example.com;lr>;x=1', '<sip:p1.example.com;lr>'],
  });
});

test('a call without proxies has no routes', () => {
  expect(factsOf(dialog('uas', { From: '<sip:a>;tag=theirs', To: '<sip:b>' }, {})).routes).toEqual([]);
});
