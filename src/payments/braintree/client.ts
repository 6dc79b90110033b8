/**
 * Requests to Braintree's GraphQL API (developer.paypal.com/braintree/graphql/guides/making_api_calls; the schema is
 * github.com/braintree/graphql-api, schema.graphql). Plain HTTP: the package `braintree` takes card numbers as strings,
 * which cannot be erased.
 */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { KeyedCard } from '../../flow/effects.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { type CardPlaces, cardParts, fillPlaces, sendOnce } from '../vendor-api/card-request.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type BraintreeCredentials, braintreeCredentials } from './credentials.ts';

/** By mode. Tests pass the address of a fake server. */
export type BraintreeUrls = Readonly<Record<Mode, string>>;

export const BRAINTREE_URLS: BraintreeUrls = {
  test: 'https://payments.sandbox.braintree-api.com',
  live: 'https://payments.braintree-api.com',
};

const PATH = '/graphql';
/** The version of the guides' examples: "the date on which you begin integrating" would accept later changes, too. */
const API_VERSION = '2019-01-01';

/**
 * The first error of a response. `errorClass`: `VALIDATION`, `NOT_FOUND`, … (braintree_node, graphql.js). `code`: of a
 * validation error (developer.paypal.com/braintree/docs/reference/general/validation-errors/all).
 */
export class GraphqlError extends Error {
  readonly errorClass: string;
  readonly code: string | null;

  constructor(errorClass: string, code: string | null) {
    super('Braintree rejected the request');
    this.name = 'GraphqlError';
    this.errorClass = errorClass;
    this.code = code;
  }
}

interface Asked {
  /** The card that the variables carry, and its placeholders. */
  keyed?: { card: KeyedCard; places: CardPlaces } | undefined;
  onAnswer?: ((answer: Pick<Response, 'headers'>) => void) | undefined;
}

export interface Braintree {
  readonly settings: BraintreeCredentials;
  /**
   * @param document a `query` or `mutation` with one operation
   * @param schema of `data`
   * @throws GraphqlError, NoAnswer
   */
  ask<T>(document: string, variables: object, schema: z.ZodType<T>, asked?: Asked): Promise<T>;
}

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenBraintree = (access: ProcessorAccess, signal: AbortSignal) => Promise<Braintree>;

export function braintreeAt(urls: BraintreeUrls): OpenBraintree {
  return async ({ mode, credentials }, signal) => {
    const settings = revealCredentials(braintreeCredentials(mode), credentials);
    const key = Buffer.from(`${settings.public_key}:${settings.private_key}`).toString('base64');
    const { protocol, hostname: host, port } = new URL(urls[mode]);
    const isPlain = protocol === 'http:';
    return {
      settings,
      async ask(document, variables, schema, { keyed, onAnswer } = {}) {
        const text = JSON.stringify({ query: document, variables });
        const body = keyed === undefined ? Buffer.from(text) : fillPlaces(text, keyed.places, cardParts(keyed.card));
        try {
          const headers = {
            Authorization: `Basic ${key}`,
            'Braintree-Version': API_VERSION,
            'Content-Type': 'application/json',
            Accept: 'application/json',
            'Content-Length': body.length,
          };
          const target = { host, port: port || (isPlain ? 80 : 443), path: PATH, method: 'POST', headers, isPlain };
          const { answer, text: answered } = await sendOnce(target, body, signal);
          onAnswer?.({ headers: new Headers({ date: answer.headers.date ?? '' }) });
          if (answer.statusCode === 401) throw new GraphqlError('AUTHENTICATION', null);
          if (answer.statusCode !== 200) throw new NoAnswer(`http_${answer.statusCode}`);
          return contentOf(answered, schema, document.startsWith('mutation'));
        } finally {
          body.fill(0);
        }
      },
    };
  };
}

/** "The body is always a JSON object … extensions contains at least a requestId" (guides, "GraphQL error handling"). */
const ENVELOPE = z.object({
  data: z.unknown(),
  errors: z
    .array(
      z.object({
        path: z.array(z.string().or(z.number())).nullish(),
        extensions: z.object({ errorClass: z.string().nullish(), legacyCode: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  extensions: z.object({ requestId: z.string() }),
});

/**
 * An error of a field inside a mutation's result does not say that the mutation failed, so without readable data the
 * outcome is unknown.
 */
function contentOf<T>(text: string, schema: z.ZodType<T>, isMutation: boolean): T {
  const { data: envelope } = ENVELOPE.safeParse(jsonOrNull(text));
  if (envelope === undefined) throw new NoAnswer('unreadable');
  const { success, data } = schema.safeParse(envelope.data);
  if (success) return data;
  const [error] = envelope.errors ?? [];
  if (error === undefined || (isMutation && (error.path?.length ?? 0) > 1)) throw new NoAnswer('unreadable');
  throw new GraphqlError(error.extensions?.errorClass ?? '', error.extensions?.legacyCode ?? null);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
