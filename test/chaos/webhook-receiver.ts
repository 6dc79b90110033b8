/** A webhook endpoint for all events: verifies each webhook and counts how often it arrives. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { EVENT_TYPES } from '../../src/db/events/events.ts';
import type { Database } from '../../src/db/pool.ts';
import { insertWebhookEndpoint } from '../../src/db/webhooks/webhook-endpoints.ts';
import type { Scope } from '../../src/domain/account.ts';
import { newId } from '../../src/domain/ids.ts';
import { newSigningSecret } from '../../src/lib/http-client/signature.ts';
import { createVault, KEY_BYTES } from '../../src/lib/vault/vault.ts';
import { webhookSecretContext } from '../../src/notifications/webhooks/endpoints.ts';

/** RINGKEY_ENCRYPTION_KEYS of the app that sends the webhooks. */
export const ENCRYPTION_KEY = Buffer.alloc(KEY_BYTES, 9).toString('base64');

export interface WebhookReceiver {
  /** How often each event arrived, by event ID. */
  readonly received: ReadonlyMap<string, number>;
  /** Invalid webhooks: a bad signature, or a different body for the ID of an earlier one. */
  readonly unexpected: readonly string[];
  close(): Promise<void>;
}

/** An endpoint's failure: `before` it has read the webhook it answers 503, `after` that it closes the connection. */
export type WebhookFailure = 'before' | 'after';

interface ReceiverOptions {
  /** Called for each webhook. Default: none fails. */
  failure?(): WebhookFailure | null;
  /** Called with each body that arrives. */
  onBody?(body: string): void;
}

/** Starts a server on loopback and registers it as a webhook endpoint of the account. */
export async function startWebhookReceiver(
  database: Database,
  scope: Scope,
  { failure = () => null, onBody = () => undefined }: ReceiverOptions = {},
): Promise<WebhookReceiver> {
  const secret = newSigningSecret();
  const webhook = new Webhook(secret);
  const received = new Map<string, number>();
  const bodies = new Map<string, string>();
  const unexpected: string[] = [];

  function hear(id: string, body: string, headers: Record<string, string>): void {
    try {
      webhook.verify(body, headers);
    } catch (error) {
      unexpected.push(`${id}: ${String(error)}`);
      return;
    }
    const hash = createHash('sha256').update(body).digest('base64');
    if ((bodies.get(id) ?? hash) !== hash) unexpected.push(`${id}: another body than before`);
    bodies.set(id, hash);
    received.set(id, (received.get(id) ?? 0) + 1);
  }

  const server = createServer((request, response) => {
    textOf(request).then(
      (body) => {
        const headers = request.headers as Record<string, string>;
        const failed = failure();
        onBody(body);
        if (failed !== 'before') hear(String(headers['webhook-id']), body, headers);
        if (failed === 'after') response.destroy();
        else response.writeHead(failed === null ? 204 : 503).end();
      },
      // The sender was killed before it had sent the complete body, so the event does not count.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const id = newId('WebhookEndpoint');
  const vault = createVault([Buffer.from(ENCRYPTION_KEY, 'base64')]);
  const signingSecret = vault.seal(secret, webhookSecretContext(id));
  await insertWebhookEndpoint(database, scope, { id, url, events: [...EVENT_TYPES], signingSecret }, 1);
  return {
    received,
    unexpected,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
