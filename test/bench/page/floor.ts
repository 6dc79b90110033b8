/**
 * The floor, a separate process: bare Fastify, with one statement per request on a pool of the product's size. A page
 * is HTML of the product's length, a text is one row. It has no validation, no authentication and no log. Both sides
 * commit once per text, to disk; the product's commit contains a link and a text with their indexes and foreign keys,
 * after it has read and checked the session.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';
import { openDatabase } from '../../../src/db/pool.ts';

export interface PageFloorOptions {
  databaseUrl: string;
  port: number;
  poolSize: number;
  /** The file with the response. */
  htmlFile: string;
}

const FLOOR_TABLE = 'bench_page_floor';
const INSERT = `insert into ${FLOOR_TABLE} (id, session_id) values ($1, $2)`;
const SELECT = `select id, session_id from ${FLOOR_TABLE} where id = $1`;

const { databaseUrl, port, poolSize, htmlFile } = JSON.parse(process.argv[2] ?? '{}') as PageFloorOptions;
const database = openDatabase({ url: databaseUrl, maxConnections: poolSize, onIdleError: console.error });
await database.query(`create table ${FLOOR_TABLE} (id text primary key, session_id text not null)`);
await database.query(INSERT, ['page', 'page']);
const html = readFileSync(htmlFile, 'utf8');
const app = fastify();

app.post<{ Body: { checkout_session_id: string } }>('/texts', async ({ body }) => {
  const id = randomUUID();
  await database.query({ name: 'insert', text: INSERT, values: [id, body.checkout_session_id] });
  return { id, ...body };
});

app.get<{ Params: { id: string } }>('/pages/:id', async ({ params }, reply) => {
  const { rows } = await database.query({ name: 'select', text: SELECT, values: [params.id] });
  return reply
    .code(rows.length === 1 ? 200 : 404)
    .type('text/html; charset=utf-8')
    .send(html);
});

await app.listen({ host: '127.0.0.1', port });
for (const end of ['SIGTERM', 'disconnect'] as const) {
  process.once(end, () => void app.close().then(() => database.close().then(() => process.exit(0))));
}
process.send?.('ready');
