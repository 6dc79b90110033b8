import { expect, it } from 'vitest';
import { failureOfStatus } from './attempt.ts';

it.each([200, 201, 204, 299])('%i is success', (status) => {
  expect(failureOfStatus(status)).toBeNull();
});

it.each([
  [410, 'gone'] as const,
  ...[100, 400, 404, 429, 500, 503].map((status) => [status, 'status'] as const),
  ...[300, 301, 307].map((status) => [status, 'redirect'] as const),
])('%i is a failure: %s', (status, failure) => {
  expect(failureOfStatus(status)).toBe(failure);
});
