/** Loads the packages of the processors that merchants use, so that no call waits for one. */
import { listConnectedProcessors } from '../../db/merchants/merchant-processors.ts';
import type { PaymentDeps } from './deps.ts';

/** A package that cannot be loaded now is loaded on first use. Never rejects. */
export async function prepareProcessors({
  database,
  processors,
  log,
}: Pick<PaymentDeps, 'database' | 'processors' | 'log'>): Promise<void> {
  try {
    const connected = await listConnectedProcessors(database);
    const wanted = processors.filter(({ name }) => connected.includes(name));
    await Promise.all(wanted.map((processor) => processor.prepare?.()));
  } catch (error) {
    log.warn({ err: error }, 'processor packages could not be loaded in advance');
  }
}
