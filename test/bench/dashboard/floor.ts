/**
 * The floor, a separate process: bare Fastify that runs the same query as the heaviest list, on a pool of the product's
 * size, and returns HTML of the product's length. It has no sign-in, no validation, no rendering and no log.
 */
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';
import { type ChargeFilter, listCharges } from '../../../src/db/charges/charge-lists.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';

export interface ListFloorOptions {
  databaseUrl: string;
  port: number;
  poolSize: number;
  /** The file with the response. */
  htmlFile: string;
  filter: ChargeFilter;
}

const { databaseUrl, port, poolSize, htmlFile, filter } = JSON.parse(process.argv[2] ?? '{}') as ListFloorOptions;
const database = openDatabase({ url: databaseUrl, maxConnections: poolSize, onIdleError: console.error });
const html = readFileSync(htmlFile, 'utf8');
const app = fastify();

app.get('/charges', async (_request, reply) => {
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  const page = await listCharges(database, scope, filter, { limit: 20, startingAfter: null });
  return reply
    .code((page?.items.length ?? 0) > 0 ? 200 : 404)
    .type('text/html; charset=utf-8')
    .send(html);
});

await app.listen({ host: '127.0.0.1', port });
for (const end of ['SIGTERM', 'disconnect'] as const) {
  process.once(end, () => void app.close().then(() => database.close().then(() => process.exit(0))));
}
process.send?.('ready');
