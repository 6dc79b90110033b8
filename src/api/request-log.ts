import type { FastifyBaseLogger } from 'fastify';
import type { LogFn } from 'pino';
import type { Log } from '../observability/log.ts';

/** A log whose lines name a request. Few requests write one beside their own: pino's child is made for the first. */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: Log;
  readonly #requestId: string;
  #child: Log | null = null;

  constructor(parent: Log, requestId: string) {
    this.#parent = parent;
    this.#requestId = requestId;
  }

  get #log(): Log {
    this.#child ??= this.#parent.child({ request_id: this.#requestId });
    return this.#child;
  }

  get level(): string {
    return this.#log.level;
  }

  get child(): Log['child'] {
    return this.#log.child.bind(this.#log);
  }

  get trace(): LogFn {
    return this.#log.trace.bind(this.#log);
  }

  get debug(): LogFn {
    return this.#log.debug.bind(this.#log);
  }

  get info(): LogFn {
    return this.#log.info.bind(this.#log);
  }

  get warn(): LogFn {
    return this.#log.warn.bind(this.#log);
  }

  get error(): LogFn {
    return this.#log.error.bind(this.#log);
  }

  get fatal(): LogFn {
    return this.#log.fatal.bind(this.#log);
  }

  get silent(): LogFn {
    return this.#log.silent.bind(this.#log);
  }
}
