import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from './signature.ts';

const BODY = '{"order_id":"ördér"}';

test('the published package verifies it, with either secret after a roll', () => {
  const secrets = [newSigningSecret(), newSigningSecret()];
  const headers = signatureHeaders('msg_1', new Date(), BODY, secrets);
  for (const secret of secrets) expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
});

test('it refuses another body, id, time or secret', () => {
  const secret = newSigningSecret();
  const headers = signatureHeaders('msg_1', new Date(), BODY, [secret]);
  const webhook = new Webhook(secret);
  expect(() => webhook.verify('{}', headers)).toThrow();
  expect(() => webhook.verify(BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
  expect(() => webhook.verify(BODY, signatureHeaders('msg_1', new Date(0), BODY, [secret]))).toThrow();
  expect(() => new Webhook(newSigningSecret()).verify(BODY, headers)).toThrow();
});
