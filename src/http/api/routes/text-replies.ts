/** `POST /hooks/sms/<carrier>`: signed webhooks of SMS carriers about replies and deliveries. They have no API key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { Sql } from '../../../db/pool.ts';
import {
  type DeliveryDeps,
  type Reply,
  takeDelivery,
  takeReply,
  textIdOf,
} from '../../../notifications/sms/incoming.ts';
import { isFromTelnyx, telnyxDelivery, telnyxReply } from '../../../notifications/sms/telnyx/incoming.ts';
import { isFromTwilio, twilioDelivery, twilioReply } from '../../../notifications/sms/twilio/incoming.ts';

/** The configured carriers. */
export interface TextReplies {
  /** `publicUrl`: the base URL as configured at Twilio, whose signature covers it. Without a trailing slash. */
  twilio?: { authToken: string; publicUrl: string };
  telnyx?: { publicKey: string };
}

interface TextReplyDeps extends DeliveryDeps {
  database: Sql;
  now: () => Date;
  textReplies?: TextReplies;
}

/** Register it under its own prefix: it parses bodies as bytes, because the signatures cover bytes. */
export function textReplyRoutes(app: FastifyInstance, deps: TextReplyDeps): void {
  const { twilio, telnyx } = deps.textReplies ?? {};
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  if (twilio !== undefined) {
    const formOf = (request: FastifyRequest) => {
      const form = new URLSearchParams(bytesOf(request).toString('utf8'));
      const signature = header(request, 'x-twilio-signature');
      if (!isFromTwilio(twilio.authToken, twilio.publicUrl + request.url, form, signature)) throw badSignature();
      return form;
    };
    app.post('/twilio', async (request, reply) => {
      const form = formOf(request);
      await recordReply(deps, request, 'twilio', twilioReply(form));
      // TwiML without a reply: Twilio answers STOP itself.
      return reply.type('text/xml').send('<?xml version="1.0" encoding="UTF-8"?><Response/>');
    });

    app.post('/twilio/status', async (request, reply) => {
      const report = twilioDelivery(formOf(request), textIdOf(request.query));
      if (report !== null) await takeDelivery(deps, request.log, report);
      return reply.code(204).send();
    });
  }

  if (telnyx !== undefined) {
    app.post('/telnyx', async (request, reply): Promise<FastifyReply> => {
      const body = bytesOf(request);
      const signed = {
        timestamp: header(request, 'telnyx-timestamp'),
        signature: header(request, 'telnyx-signature-ed25519'),
      };
      if (!isFromTelnyx(telnyx.publicKey, body, signed, deps.now())) throw badSignature();
      const event: unknown = JSON.parse(body.toString('utf8'));
      await recordReply(deps, request, 'telnyx', telnyxReply(event));
      const report = telnyxDelivery(event, textIdOf(request.query));
      if (report !== null) await takeDelivery(deps, request.log, report);
      return reply.send({});
    });
  }
}

async function recordReply(
  { database }: TextReplyDeps,
  { log }: FastifyRequest,
  carrier: string,
  reply: Reply | null,
): Promise<void> {
  if (reply === null) return;
  log.info({ carrier, reply: await takeReply(database, reply) }, 'text answered');
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function badSignature(): ApiError {
  return new ApiError('invalid_key', { message: 'The signature is not from the carrier.' });
}
