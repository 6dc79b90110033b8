/**
 * The floor, a separate process: bare Fastify, with one statement per request on a pool of the product's size. It has
 * no validation, no authentication and no log.
 */
import { randomUUID } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { openDatabase } from '../../../src/db/pool.ts';

export interface FloorOptions {
  databaseUrl: string;
  port: number;
  poolSize: number;
}

interface Order {
  merchant_id: string;
  caller_phone: string;
  amount_cents: number;
  return_to: string;
  metadata: object;
}

const CREATE_TABLE = `create table if not exists bench_floor (id text primary key, merchant_id text not null,
  caller_phone text not null, amount_cents integer not null, return_to text not null, metadata json not null,
  created_at timestamptz not null default now())`;
const INSERT = `insert into bench_floor (id, merchant_id, caller_phone, amount_cents, return_to, metadata)
  values ($1, $2, $3, $4, $5, $6)`;
const SELECT = 'select id, merchant_id, caller_phone, amount_cents, return_to, metadata from bench_floor where id = $1';

const { databaseUrl, port, poolSize } = JSON.parse(process.argv[2] ?? '{}') as FloorOptions;
const database = openDatabase({
  url: databaseUrl,
  maxConnections: poolSize,
  onIdleError: (error) => console.error(error),
});
await database.query(CREATE_TABLE);
const app: FastifyInstance = fastify();

app.post<{ Body: Order }>('/orders', async ({ body }) => {
  const id = randomUUID();
  const metadata = JSON.stringify(body.metadata);
  const values = [id, body.merchant_id, body.caller_phone, body.amount_cents, body.return_to, metadata];
  await database.query({ name: 'insert', text: INSERT, values });
  return { id, ...body };
});

app.get<{ Params: { id: string } }>('/orders/:id', async ({ params }) => {
  const { rows } = await database.query({ name: 'select', text: SELECT, values: [params.id] });
  return rows[0];
});

await app.listen({ host: '127.0.0.1', port });
for (const end of ['SIGTERM', 'disconnect'] as const) {
  process.once(end, () => void app.close().then(() => database.close().then(() => process.exit(0))));
}
process.send?.('ready');
