/** The roles of this process and what each is given. This folder is the one place that knows every adapter. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { seedDemo } from '../standalone/demo-data.ts';
import { type Ground, layGround } from './infrastructure.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Log } from '../observability/log.ts';
import { sealCards } from './encryption.ts';
import { serveHttp } from './http.ts';
import { startNotifications } from './notifications.ts';
import { openPayments, processingOf, startSweeps } from './payments.ts';
import { startLine } from './phone.ts';
import { openSpeech } from './speech.ts';

/** What runs, for whoever wants to tell or test it. */
export interface Parts extends Pick<Ground, 'config' | 'servers' | 'engine' | 'transfer'> {
  /** Base of the HTTP surface: the whole API, or only the health checks where this process has not that role. */
  httpUrl: string;
}

/** Past the drain: goodbyes and charges on their way, which the phone bounds itself. */
const PHONE_CLOSE_LIMIT_MS = 90_000;
/** A synthesizer that takes longer goes on beside the first calls. */
const WARM_LIMIT_MS = 10_000;
const DEFAULT_LANGUAGE = 'en-US';

/** Starts everything the configuration asks for. @throws CannotStart for what its reader can mend */
export async function startParts(config: Config, log: Log, lifecycle: Lifecycle): Promise<Parts> {
  const ground = await layGround(config, log, lifecycle);
  if (config.RINGKEY_DEMO) await seedDemo(ground.database);
  await sealCards(ground);
  const has = (role: Config['RINGKEY_ROLES'][number]) => config.RINGKEY_ROLES.includes(role);
  const speech = await openSpeech(ground);
  // What all calls share is audio before the first of them lands.
  const warm = speech.warm(DEFAULT_LANGUAGE, null);
  const processing = processingOf(ground);
  const worker = has('worker') ? startSweeps(ground, processing) : null;
  if (has('worker')) startNotifications(ground);
  const payments = openPayments(ground, processing, worker);
  const phone = has('phone') ? await startLine(ground, speech, payments) : null;
  await Promise.race([warm, delay(WARM_LIMIT_MS, undefined, { ref: false })]);
  const httpUrl = await serveHttp(ground, speech, payments, phone);
  // Added last, so it ends first: while calls finish, their agents can still ask how they went.
  if (phone) {
    const drainMs = config.RINGKEY_DRAIN_SECONDS * 1_000;
    lifecycle.add('phone', drainMs + PHONE_CLOSE_LIMIT_MS, () => phone.drain(config.RINGKEY_DRAIN_SECONDS));
  }
  const { servers, engine, transfer } = ground;
  return { config, servers, engine, transfer, httpUrl };
}
