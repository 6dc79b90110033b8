/** The beginnings of credentials that errors in the dashboard name are those that the processors' schemas require. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Mode } from '../../src/domain/session.ts';
import { connectionError, PREFIXES } from '../../src/http/dashboard/merchants/connection-errors.ts';
import { adyenCredentials } from '../../src/payments/adyen/credentials.ts';
import { braintreeCredentials } from '../../src/payments/braintree/credentials.ts';
import { checkoutComCredentials } from '../../src/payments/checkoutcom/credentials.ts';
import { hyperswitchCredentials } from '../../src/payments/hyperswitch/credentials.ts';
import { squareCredentials } from '../../src/payments/square/credentials.ts';
import { stripeCredentials } from '../../src/payments/stripe/credentials.ts';

const SCHEMAS: Readonly<Record<string, (mode: Mode) => z.ZodType>> = {
  adyen: adyenCredentials,
  braintree: braintreeCredentials,
  checkoutcom: checkoutComCredentials,
  hyperswitch: (mode) => hyperswitchCredentials(mode, {}),
  square: squareCredentials,
  stripe: stripeCredentials,
};

/** What follows the prefix. */
const RESTS: Readonly<Record<string, string>> = {
  'square.application_id': 'b-abcdefghijklmnopqrst',
  'checkoutcom.secret_key': 'abcdefghijklmnopqrstuvwxyz2',
  'checkoutcom.public_key': 'abcdefghijklmnopqrstuvwxyz2',
  'checkoutcom.processing_channel_id': 'abcdefghijklmnopqrstuvwxyz',
  'braintree.tokenization_key': 'abcdefgh_ijklmnop',
};
const USUAL_REST = 'abcdefghijklmnopqrst';

const MODES = ['test', 'live'] as const;
const CASES = Object.entries(PREFIXES).flatMap(([processor, fields]) =>
  Object.entries(fields).flatMap(([name, prefixes]) => MODES.map((mode) => ({ processor, name, mode, prefixes }))),
);

describe.each(CASES)('the credential $name of $processor in $mode mode', ({ processor, name, mode, prefixes }) => {
  const isAccepted = (value: string) => {
    const { error } = SCHEMAS[processor]?.(mode).safeParse({ [name]: value }) ?? expect.unreachable();
    return error?.issues.every(({ path }) => path[0] !== name) ?? true;
  };
  const rest = RESTS[`${processor}.${name}`] ?? USUAL_REST;

  test('is accepted with each of its prefixes, and with no other', () => {
    const own = prefixes(mode);
    const others = prefixes(mode === 'test' ? 'live' : 'test').filter((prefix) => !own.includes(prefix));
    expect(own.filter((prefix) => isAccepted(prefix + rest))).toEqual(own);
    expect(['', 'x_', ...others].filter((prefix) => isAccepted(prefix + rest))).toEqual([]);
  });
});

test('a test key of Checkout.com is refused in live mode at its field', () => {
  const given = { secret_key: `sk_sbox_${RESTS['checkoutcom.secret_key']}` };
  const { error } = checkoutComCredentials('live').safeParse(given);
  const refusal = { param: `credentials.${String(error?.issues[0]?.path[0])}`, message: '' };
  expect(connectionError({ mode: 'live', processor: 'checkoutcom', given, error: refusal })).toMatchObject({
    param: 'secret_key',
    message: expect.stringContaining('does not have the form that Checkout.com uses in live mode'),
  });
});
