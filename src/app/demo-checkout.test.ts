import { expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openDatabase } from '../db/pool.ts';
import { createVault, KEY_BYTES } from '../lib/vault/vault.ts';
import { openDemoCheckout } from './demo-checkout.ts';

it('is left out where the database does not take it: the service is up by then, and goes on', async () => {
  const config = readConfig({ RINGKEY_DEMO: 'on', RINGKEY_LINK_URL: 'https://pay.example.com' });
  // A pool that is closed refuses at once, as one that is busy does after its time limit.
  const database = openDatabase({
    url: 'postgresql://127.0.0.1:1/none',
    maxConnections: 1,
    onIdleError: () => undefined,
  });
  await database.close();
  const vault = createVault([Buffer.alloc(KEY_BYTES, 1)]);
  const warnings: string[] = [];
  const log = { warn: (_fields: unknown, message: string) => void warnings.push(message) };
  expect(await openDemoCheckout({ config, database, vault }, log as never)).toBeNull();
  expect(warnings).toEqual(['could not create the demo checkout']);
});
