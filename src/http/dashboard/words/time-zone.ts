/**
 * The time zone of all times and days on a page: the account's. It belongs to the request, like its language, so that
 * every part of a page knows it without a parameter.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** The IANA name of the time zone of the request, and of all that it starts. */
export const timeZone = (): string => storage.getStore() ?? 'UTC';

/** Runs the function, and all that it starts, in this time zone. */
export const inTimeZone = <T>(zone: string, run: () => T): T => storage.run(zone, run);
