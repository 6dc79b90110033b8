/** Fixtures for all tests of a file, created before the first test and closed after the last. */
import { afterAll, beforeAll } from 'vitest';
import type { TextLimits } from '../../src/domain/texts.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestMerchant, type TestMerchant } from './test-merchants.ts';

/**
 * Calls `create` in the file's `beforeAll` and closes the result in `afterAll`. The returned object is empty until
 * `beforeAll`, so only tests and hooks may read it.
 */
export function useFixture<T extends { close(): Promise<void> }>(create: () => Promise<T>): T {
  let made: T | null = null;
  const fixture = {} as T;
  beforeAll(async () => {
    made = await create();
    Object.assign(fixture, made);
  });
  afterAll(() => made?.close());
  return fixture;
}

/** A migrated, empty database. */
export function useTestDatabase(): TestDatabase {
  return useFixture(createTestDatabase);
}

/** A merchant in that database. */
export function useTestMerchant(db: TestDatabase): TestMerchant {
  const merchant = {} as TestMerchant;
  beforeAll(async () => {
    Object.assign(merchant, await createTestMerchant(db.database));
  });
  return merchant;
}

const MANY = 100_000;
export const NO_TEXT_LIMITS: TextLimits = {
  recipientHour: MANY,
  recipientDay: MANY,
  accountHour: MANY,
  accountDay: MANY,
};
