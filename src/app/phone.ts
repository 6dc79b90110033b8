/** Starts the phone role: its SIP edge and media servers, and the settings of its calls. */

import { processorAtPage } from '../accounts/merchants/page-processor.ts';
import { processorFor, takesKeypadWith } from '../accounts/merchants/processor.ts';
import { canSendLinksWith } from '../checkout/pay-link.ts';
import { textLinkToCaller } from '../checkout/send-link.ts';
import {
  hasSmsCarrier,
  mediaServersOf,
  returnAllowedIn,
  sipServersOf,
  transferNumbersIn,
  trunkCredentialsIn,
  trunksIn,
} from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { openRateLimiter } from '../http/api/rate-limiter.ts';
import { createFingerprint } from '../lib/vault/fingerprint.ts';
import type { Processor } from '../payments/port/processor.ts';
import type { LinkTexts, TransferCodes } from '../phone/deps.ts';
import { mediaTraffic } from '../phone/freeswitch/event-reader.ts';
import { type Phone, type PhoneOptions, startPhone } from '../phone/index.ts';
import type { LoadReadings } from '../phone/load/overload.ts';
import type { SpeechService } from '../speech/speech.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';
import { linkDepsOf } from './notifications.ts';
import type { Payments } from './payments.ts';
import { identityCheck } from './screening.ts';
import { createTransferCodes } from './transfer-codes.ts';

const ENGINE_READY_LIMIT_MS = 10_000;

/** Waits a while for the engine. Calls are accepted whenever it is connected, even later. */
export async function startPhoneRole(
  infrastructure: Infrastructure,
  speech: SpeechService,
  { pay, processors }: Payments,
): Promise<Phone> {
  const { config, database, databaseUrl, progress, vault, transfer, log, lifecycle, metrics } = infrastructure;
  const checkIdentities = identityCheck(config);
  const codes = await transferCodes(infrastructure);
  const phone = await startPhone({
    sql: database,
    vault,
    databaseUrl,
    instance: config.RINGKEY_INSTANCE,
    ...engines(infrastructure),
    progress,
    speech,
    pay,
    takesKeypad: takesKeypadWith(processors),
    canKeepCards: ({ mode, processor: name }) => {
      const processor = processorFor(processors, mode, name);
      return vault !== null && processor?.can.keypad === true && processor.wallet !== null;
    },
    takesSavedCards: ({ mode, processor: name }) =>
      config.RINGKEY_SAVED_CARDS && processorFor(processors, mode, name)?.can.savedCards === true,
    takesBankAccounts: ({ mode, processor: name }) => processorFor(processors, mode, name)?.debits !== undefined,
    links: linkTexts(infrastructure, processors),
    ...(checkIdentities && { checkIdentities }),
    ...(codes && { codes }),
    settings: {
      maxCalls: config.RINGKEY_MAX_CALLS,
      hasSmsCarrier: hasSmsCarrier(config),
      maxCallsPerAccount: config.RINGKEY_MAX_CALLS_PER_ACCOUNT,
      returnMode: config.RINGKEY_RETURN_MODE,
      sipDomain: transfer.domain,
      trunks: trunksIn(config),
      directTrunks: config.RINGKEY_DIRECT_TRUNKS,
      trunkCountry: config.RINGKEY_TRUNK_COUNTRY ?? null,
      transferNumbers: transferNumbersIn(config),
      numberUnknown: config.RINGKEY_NUMBER_UNKNOWN,
      trunkTarget: config.RINGKEY_TRUNK_TARGET ?? null,
      trunkCredentials: trunkCredentialsIn(config),
      returnCredentials: config.RINGKEY_RETURN_CREDENTIALS,
      returnAllowed: returnAllowedIn(config),
    },
    maxLoad: config.RINGKEY_MAX_LOAD / 100,
    limits: { bridgeMs: config.RINGKEY_MAX_BRIDGE_MINUTES * 60_000 },
    log,
    onCall: metrics.call,
    onAnswer: metrics.callAnswered,
    onRefusal: metrics.callRefused,
  });
  metrics.watch('calls_live', 'Calls of this process that are live or arriving.', () => phone.calls);
  const load = (name: string, help: string, read: (readings: LoadReadings) => number) =>
    metrics.watch(name, help, () => (phone.load === null ? 0 : read(phone.load)));
  load(
    'event_loop_use',
    'Share of time that the event loop of this process is busy, smoothed.',
    (of) => of.eventLoopUse,
  );
  load(
    'event_loop_late_seconds',
    'How late the timers of this process fire, smoothed.',
    (of) => of.eventLoopDelayMs / 1_000,
  );
  load(
    'media_answer_seconds',
    'Time until a media server answers an INVITE, smoothed.',
    (of) => of.mediaAnswerMs / 1_000,
  );
  load(
    'media_reply_seconds',
    'Time until a media server replies to a command, smoothed.',
    (of) => of.mediaReplyMs / 1_000,
  );
  load(
    'database_answer_seconds',
    'Time until PostgreSQL answers a statement of a call, smoothed.',
    (of) => of.databaseMs / 1_000,
  );
  metrics.watchCount('media_events', 'Messages from media servers.', () => mediaTraffic().messages);
  metrics.watchCount('media_event_bytes', 'Bytes of the messages from media servers.', () => mediaTraffic().bytes);
  metrics.watchMediaServers(() => phone.media.states);
  metrics.watchCount(
    'media_lookup_failures',
    'DNS lookups of media servers (FREESWITCH_SRV) that failed.',
    () => phone.media.failedLookups,
  );
  lifecycle.add('phone connections', CLOSE_LIMIT_MS, () => phone.close());
  if (!(await phone.ready(ENGINE_READY_LIMIT_MS))) log.warn('engine not available yet: calls are accepted when it is');
  return phone;
}

/** Null if no number of the payment line is set: then there are no codes. */
async function transferCodes({
  config,
  redisUrl,
  log,
  lifecycle,
  encryptionKeys: [key],
}: Infrastructure): Promise<TransferCodes | null> {
  const { owned, unassigned } = transferNumbersIn(config);
  if (key === undefined || (owned.length === 0 && unassigned === null)) return null;
  const rateLimiter = await openRateLimiter({ redisUrl, log });
  lifecycle.add('transfer code limits', CLOSE_LIMIT_MS, async () => rateLimiter.close());
  return createTransferCodes(createFingerprint(key), rateLimiter);
}

function linkTexts(infrastructure: Infrastructure, processors: readonly Processor[]): LinkTexts {
  const deps = linkDepsOf(infrastructure, processors);
  const canSendLinks = canSendLinksWith(deps);
  return {
    canSend: (at) => canSendLinks(at.session.mode) && processorAtPage(deps, at) !== null,
    send: (session) => textLinkToCaller(deps, session),
  };
}

/** Addresses of the built-in engine, or of the daemons named in the settings. */
function engines({
  config,
  engine,
}: Infrastructure): Pick<PhoneOptions, 'sipServers' | 'freeswitches' | 'foundFreeswitches'> {
  if (engine) {
    const { ports, secret } = engine;
    const loopback = '127.0.0.1';
    return {
      sipServers: [{ host: loopback, port: ports.drachtioPort, secret }],
      freeswitches: [{ address: loopback, port: ports.eslPort, secret, listenAddress: loopback, listenPort: 0 }],
    };
  }
  const refusesOpenKeys = config.RINGKEY_SRTP === 'required';
  const sipServers = sipServersOf(config).map(({ address, port }) => ({
    host: address,
    port,
    secret: config.DRACHTIO_SECRET,
    refusesOpenKeys,
  }));
  return { sipServers, ...mediaServers(config) };
}

function mediaServers(config: Config): Pick<PhoneOptions, 'freeswitches' | 'foundFreeswitches'> {
  const advertised = config.FREESWITCH_ADVERTISED_ADDRESS;
  const listenPort = config.FREESWITCH_LISTEN_PORT;
  const optionsOf = (address: string, port: number, place: number) => ({
    address,
    port,
    secret: config.FREESWITCH_SECRET,
    srtp: config.RINGKEY_SRTP,
    listenAddress: config.FREESWITCH_LISTEN_ADDRESS,
    // One port for each server.
    listenPort: listenPort === 0 ? 0 : listenPort + place,
    ...(advertised !== undefined && { advertisedAddress: advertised }),
  });
  const srvName = config.FREESWITCH_SRV;
  return {
    freeswitches: mediaServersOf(config).map(({ address, port }, place) => optionsOf(address, port, place)),
    ...(srvName !== undefined && { foundFreeswitches: { srvName, optionsOf } }),
  };
}
