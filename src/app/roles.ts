/** Starts the roles of this process with their dependencies. Only app/ and cli/ know adapters. */
import { setTimeout as delay } from 'node:timers/promises';
import { requireEncryptionKeys, requireEngineSecrets } from '../config/config.ts';
import { allowsTestCalls } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { isTransient } from '../db/error-kinds.ts';
import { readMerchantLanguages } from '../db/merchants/merchants.ts';
import { withRetries } from '../lib/concurrency/retries.ts';
import type { Log } from '../lib/observability/log.ts';
import { revokeDemoKey, seedDemo } from '../local/standalone/demo-data.ts';
import type { RunningParts } from '../local/standalone/welcome.ts';
import { prepareProcessors } from '../payments/shared/prepare.ts';
import type { SpeechService } from '../speech/speech.ts';
import { openDemoCheckout } from './demo-checkout.ts';
import { startHttp } from './http.ts';
import { type Infrastructure, startInfrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS, type Lifecycle } from './lifecycle.ts';
import { startNotifications } from './notifications.ts';
import { openPayments, processingOf, startSweeps } from './payments.ts';
import { startPhoneRole } from './phone.ts';
import { openSpeech } from './speech.ts';
import { warnOfMissingCarrier, warnOfTransferNumbers } from './start-warnings.ts';
import { openTestCalls } from './test-calls.ts';

/** After the drain: ending calls and charges in flight, which the phone limits itself. */
const PHONE_CLOSE_LIMIT_MS = 90_000;
/** After this, the service takes calls while sentences are still rendered and packages loaded. */
const WARM_LIMIT_MS = 10_000;
/** A database that has answered before, but is busy or restarting, does not end the start. */
const DATABASE_WAIT_MS = 60_000;
const DEFAULT_LANGUAGE = 'en-US';

/** One language after the other, the most common first. */
async function warmSpeech(speech: SpeechService, { database, log }: Infrastructure): Promise<void> {
  const languages = await readMerchantLanguages(database).catch((error: unknown) => {
    log.warn({ err: error }, 'languages of merchants could not be read: sentences are rendered on first use');
    return [];
  });
  for (const language of new Set([...languages, DEFAULT_LANGUAGE])) await speech.warm(language, null);
}

/** Safe to repeat. */
async function lookAfterAccounts(infrastructure: Infrastructure): Promise<void> {
  await (infrastructure.config.RINGKEY_DEMO ? seedDemo : revokeDemoKey)(infrastructure.database);
  await warnOfTransferNumbers(infrastructure);
  await warnOfMissingCarrier(infrastructure);
}

/** Starts everything that the settings ask for. @throws CannotStart */
export async function startParts(config: Config, log: Log, lifecycle: Lifecycle): Promise<RunningParts> {
  requireEngineSecrets(config);
  requireEncryptionKeys(config);
  const infrastructure = await startInfrastructure(config, log, lifecycle);
  await withRetries(DATABASE_WAIT_MS, isTransient, () => lookAfterAccounts(infrastructure));
  const has = (role: Config['RINGKEY_ROLES'][number]) => config.RINGKEY_ROLES.includes(role);
  const speech = await openSpeech(infrastructure);
  // What all calls say is rendered before the first of them lands.
  const warm = warmSpeech(speech, infrastructure);
  const notifier = has('worker') ? startNotifications(infrastructure) : null;
  const processing = processingOf(infrastructure, notifier);
  const worker = has('worker') ? startSweeps(infrastructure, processing) : null;
  const payments = openPayments(infrastructure, processing, worker);
  const prepared = prepareProcessors({ ...infrastructure, ...processing });
  const phone = has('phone') ? await startPhoneRole(infrastructure, speech, payments) : null;
  await Promise.race([Promise.all([warm, prepared]), delay(WARM_LIMIT_MS, undefined, { ref: false })]);
  const testCalls = phone && allowsTestCalls(config) ? await openTestCalls({ config, log }) : null;
  const httpUrl = await startHttp(infrastructure, speech, payments, phone, testCalls);
  // Added last, so it closes first: while calls finish, the API still answers their agents.
  if (phone) {
    const drainMs = config.RINGKEY_DRAIN_SECONDS * 1_000;
    lifecycle.add('phone', drainMs + PHONE_CLOSE_LIMIT_MS, () => phone.drain(config.RINGKEY_DRAIN_SECONDS));
  }
  // Before it: their callers hang up, or the phone would wait for the end of their calls.
  if (testCalls) lifecycle.add('test calls', CLOSE_LIMIT_MS, () => testCalls.close());
  const payLink = config.RINGKEY_DEMO && has('api') ? await openDemoCheckout(infrastructure, log) : null;
  const { servers, engine, transfer } = infrastructure;
  return { config, servers, engine, sipDomain: transfer.domain, httpUrl, payLink };
}
