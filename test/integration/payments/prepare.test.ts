/** Loading processors' packages early: only those of connected merchants, and a failure does not stop the start. */
import { expect, it, vi } from 'vitest';
import { connectProcessor } from '../../../src/db/merchants/merchant-processors.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { prepareProcessors } from '../../../src/payments/shared/prepare.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';

const db = useTestDatabase();

it('loads the packages of connected merchants, and continues after a failure', async () => {
  const { accountId, merchantId } = await createTestMerchant(db.database);
  const found = await findMerchantRecord(db.database, accountId, merchantId);
  if (found === null) throw new Error('no merchant');
  await connectProcessor(db.database, found.merchant, {
    processor: 'used',
    credentials: null,
    account: null,
    recordsOf: null,
  });
  const [used, unused] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
  const named = (name: string, prepare: () => Promise<void>): Processor => ({
    ...createSandbox(db.database),
    name,
    prepare,
  });
  const log = { warn: vi.fn(), info: vi.fn(), error: vi.fn() };
  await prepareProcessors({ database: db.database, log, processors: [named('used', used), named('unused', unused)] });
  expect(used).toHaveBeenCalledOnce();
  expect(unused).not.toHaveBeenCalled();
  expect(log.warn).not.toHaveBeenCalled();

  used.mockRejectedValueOnce(new Error('too many open files'));
  await prepareProcessors({ database: db.database, log, processors: [named('used', used)] });
  expect(log.warn).toHaveBeenCalledOnce();
});
