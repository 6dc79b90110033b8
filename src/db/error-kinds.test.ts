import { expect, it } from 'vitest';
import { isTransient } from './error-kinds.ts';

const coded = (code: string) => Object.assign(new Error('text'), { code });

it.each([
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout'),
  new Error('timeout exceeded when trying to connect'),
  new Error('timeout expired'),
  new Error('Query read timeout'),
  new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ECONNABORTED',
    '57P01',
    '57P03',
    '57014',
    '08006',
    '53300',
    '40001',
    '40P01',
    '25006',
  ].map(coded),
])('passes by itself: %s', (error) => {
  expect(isTransient(error)).toBe(true);
});

it.each([coded('23505'), coded('42P01'), coded('22P02'), new Error('bug'), new TypeError('bug'), 'text', null])(
  'does not: %s',
  (error) => {
    expect(isTransient(error)).toBe(false);
  },
);
