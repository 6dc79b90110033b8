/**
 * `GET /pay/logos/<hash>.<png|svg>`: logos of merchants, on the host where payers enter cards. The files were rewritten
 * from uploads. Their policy also lets nothing run or load if a browser shows one by itself, and pages show them only in
 * `<img>`.
 */
import type { FastifyInstance } from 'fastify';
import { readLogoBytes } from '../../db/merchants/logos.ts';
import type { Sql } from '../../db/pool.ts';
import { LOGOS_PATH, parseLogoName } from '../../domain/logo.ts';

const A_YEAR_SECONDS = 31_536_000;
const HEADERS = {
  'cache-control': `public, max-age=${A_YEAR_SECONDS}, immutable`,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

export function logoRoute(app: FastifyInstance, { database }: { database: Sql }): void {
  app.get(`${LOGOS_PATH}/:name`, async (request, reply) => {
    const named = parseLogoName((request.params as { name: string }).name);
    const bytes = named && (await readLogoBytes(database, named.type, named.hash));
    if (named === null || bytes === null) return reply.callNotFound();
    return reply.headers(HEADERS).type(named.type).send(bytes);
  });
}
