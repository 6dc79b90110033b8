/** `/v1/merchants/{id}/logo`: the logo on the pay pages of a merchant. */
import type { FastifyError, FastifyInstance } from 'fastify';
import { z } from 'zod';
import { removeLogo, setLogo, type Upload } from '../../../accounts/logos/logos.ts';
import { MAX_LOGO_BYTES, wrongLogo } from '../../../accounts/logos/wrong-logo.ts';
import { merchantNotFound } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findLogo, type LogoRecord } from '../../../db/merchants/logos.ts';
import type { Database } from '../../../db/pool.ts';
import { type MerchantId, parseId } from '../../../domain/ids.ts';
import { LOGO_TYPES, logoPath } from '../../../domain/logo.ts';
import type { Mode } from '../../../domain/session.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireMerchant } from '../require-in-scope.ts';

const HASH_EXAMPLE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const Logo = z.object({
  url: field(
    z.string().nullable(),
    "Where the pay page's own host serves it. It changes with the content, and can be cached. Null if this service has no address for pay links.",
    `https://pay.example.com/pay/logos/${HASH_EXAMPLE}.svg`,
  ),
  content_type: field(z.enum(LOGO_TYPES), 'The format.', 'image/svg+xml'),
  width: field(z.int(), 'The width, in pixels. For an SVG, `width` and `height` are its proportions.', 512),
  height: field(z.int(), 'The height, in pixels.', 256),
  size_bytes: field(z.int(), 'The size of the stored file, which was rewritten from the upload.', 1_408),
  updated_at: field(z.iso.datetime(), 'When it was uploaded.', '2026-11-26T09:30:00.000Z'),
});

const MerchantLogo = z
  .object({
    merchant_id: FIELDS.merchant_id,
    logo: Logo.nullable().meta({ description: 'Null: the pay page shows the first letter of the business name.' }),
  })
  .meta({ id: 'MerchantLogo' });
export type MerchantLogo = z.output<typeof MerchantLogo>;

const params = z.object({ id: FIELDS.merchant_id });
const MERCHANT: Need = { name: 'MERCHANT', operation: 'create_merchant', field: 'merchant_id' };
const EXAMPLE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32"><rect width="64" height="32" rx="8" fill="#24569b"/></svg>';

const SET_LOGO = {
  id: 'set_merchant_logo',
  group: 'Merchants',
  summary: "Set the merchant's logo",
  description: `The body is the file itself: a PNG or an SVG of up to 50 KiB, with its \`Content-Type\`. It replaces the previous logo.
The pay page shows it on white in both themes, 40 pixels high. Give a white logo a background of its own.

The file is not stored as it was sent. A PNG (up to 1024 × 1024 pixels) is rewritten from its pixels, an SVG from
its shapes, groups, gradients, clips, masks and colors. An SVG with anything else (scripts, event handlers, links,
references to other files, animation, images, text, filters, a DOCTYPE) returns \`invalid_value\`, whose message says what
to remove.`,
  params,
  upload: LOGO_TYPES,
  response: MerchantLogo,
  answers: 'The new logo.',
  errors: ['merchant_not_found', 'invalid_value'],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' }, upload: { type: 'image/svg+xml', text: EXAMPLE } },
} satisfies Operation;

const RETRIEVE_LOGO = {
  id: 'retrieve_merchant_logo',
  limited: 'read',
  group: 'Merchants',
  summary: "Retrieve the merchant's logo",
  description: 'Says where the logo is and how large it is.',
  params,
  response: MerchantLogo,
  answers: 'The current logo, or null.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
} satisfies Operation;

const REMOVE_LOGO = {
  id: 'remove_merchant_logo',
  group: 'Merchants',
  summary: "Remove the merchant's logo",
  description: 'The pay page then shows the first letter of the business name. Without a logo, nothing changes.',
  params,
  response: MerchantLogo,
  answers: 'The merchant without a logo.',
  errors: ['merchant_not_found'],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' } },
} satisfies Operation;

interface LogoDeps {
  database: Database;
  linkBase: (mode: Mode) => string | null;
}

export function merchantLogoRoutes(app: FastifyInstance, deps: LogoDeps): void {
  addOperation(app, 'GET /merchants/:id/logo', RETRIEVE_LOGO, async ({ params }, request) => {
    const { merchant } = await requireMerchant(deps.database, request, params.id);
    return shown(deps, merchant, await findLogo(deps.database, merchant.id));
  });

  addOperation(app, 'DELETE /merchants/:id/logo', REMOVE_LOGO, async ({ params }, request) => {
    const id = merchantId(params.id);
    await removeLogo(deps.database, request.actor, request.scope, id);
    return shown(deps, { id, mode: request.scope.mode }, null);
  });

  app.register((uploads, _options, done) => {
    uploadRoute(uploads, deps);
    done();
  });
}

/** In its own plugin: it replaces the parsers, and has its own limit. */
function uploadRoute(app: FastifyInstance, deps: LogoDeps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_LOGO_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.setErrorHandler((error: FastifyError) => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
    throw wrongLogo('A logo can have up to 50 KiB. Send a smaller one.');
  });
  addOperation(app, 'PUT /merchants/:id/logo', SET_LOGO, async ({ params }, request) => {
    const id = merchantId(params.id);
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const upload: Upload = { type: request.headers['content-type'] ?? '', bytes };
    const logo = await setLogo(deps.database, request.actor, request.scope, id, upload);
    return shown(deps, { id, mode: request.scope.mode }, logo);
  });
}

function merchantId(text: string): MerchantId {
  const id = parseId('Merchant', text);
  if (id === null) throw merchantNotFound(text);
  return id;
}

function shown({ linkBase }: LogoDeps, merchant: { id: MerchantId; mode: Mode }, logo: LogoRecord | null) {
  const base = linkBase(merchant.mode);
  return {
    merchant_id: merchant.id,
    logo: logo && {
      url: base && `${base}${logoPath(logo)}`,
      content_type: logo.type,
      width: logo.width,
      height: logo.height,
      size_bytes: logo.sizeBytes,
      updated_at: logo.updatedAt.toISOString(),
    },
  };
}
