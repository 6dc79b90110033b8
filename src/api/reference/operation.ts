/**
 * How a route describes itself: `app.post('/charge', { config: { operation: CHARGE } }, handler)`. Method and path are
 * the route's own, the schemas those it validates with; the document, `/docs` and the clients typed from it follow.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contract/error-catalogue.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Shown in the reference. Every route under `/v1` and `/api` has one, or the app does not start. */
    operation?: Operation;
  }
}

/** The sections of the reference, in their order, each with its sentence. */
export const GROUPS = {
  Checkout: 'Open a checkout, see how it went, and take the payment.',
  Refunds: 'Money back, whole or in part.',
  Callers: 'Who is calling, and the cards they saved.',
  Merchants: 'Whom the money is for: their settings, processor, orders.',
  Webhooks: 'Where signed events go.',
  Events: 'What happened, as your webhook endpoints are sent it, and sending it again.',
  Keys: 'API keys of the account, in the mode of the key that asks.',
} as const;
/** One of the sections. */
export type Group = keyof typeof GROUPS;

/** All that the reference says of one route, but its method and path. */
export interface Operation {
  /** The interface's name, in snake case; no two share one: `create_checkout`. */
  id: string;
  group: Group;
  /** A few words. */
  summary: string;
  /** Markdown: what it does, and the rules a field's own description does not tell. */
  description: string;
  /** Of the path, by the names in the route. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers of its own. `Authorization`, and `Idempotency-Key` of a POST, come by themselves. */
  headers?: z.ZodObject;
  request?: z.ZodType;
  response: z.ZodType;
  /** What its success says, in a sentence. */
  answers: string;
  /** 200 where not given. */
  status?: 200 | 201 | 202;
  /** Its own codes. Those that every operation of its kind has (key, rate, JSON, our fault) come by themselves. */
  errors: readonly ErrorCode[];
  example: Example;
}

/** A request that works on the demo as it stands; a test runs it with curl. */
export interface Example {
  /** Ids that other operations' examples must bring first. They stand in the rest as `$NAME`. */
  needs?: readonly Need[];
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** What the demo answers, where it is not the operation's success. */
  fails?: ErrorCode;
}

/** The variable `name` is `field` of what the example of `operation` answers. */
export interface Need {
  name: string;
  operation: string;
  field: string;
}
