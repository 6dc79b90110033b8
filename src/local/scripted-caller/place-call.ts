/** The work of `ringkey call`: creates a checkout by REST, calls it over SIP and RTP, and reports the outcome. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import wavefile from 'wavefile';
import { AudioSessions } from './audio.ts';
import {
  cardDifferences,
  hearingDifferences,
  lostDifferences,
  outcomeDifferences,
  unseenDifferences,
} from './differences.ts';
import { securityCodeFor, withEntered } from './entered.ts';
import type { CallOptions } from './options.ts';
import { PayPage } from './pay-page.ts';
import {
  type Checkout,
  createCheckout,
  ensureMerchant,
  RestFailure,
  readCards,
  readSession,
  type SavedCard,
  saveCard,
  sendLink,
} from './rest-client.ts';
import { describeReturn, type RunOptions, type RunResult, runCall } from './scripted-caller.ts';
import { SCRIPTS, type Script } from './scripts.ts';
import { type TimedEntry, Timeline } from './timeline.ts';
import { VoiceAgent } from './voice-agent.ts';

interface CallEnvironment {
  /** Base URL of the REST service, e.g. `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** Folders with rendered prompts, which the speech recognizer knows. */
  speechFolders: readonly string[];
  /** Receives each step as it happens. */
  show(entry: TimedEntry): void;
  /** Set if another program creates the checkout. */
  driver?: CallDriver;
}

/** A program that creates the checkout itself, so that no request is sent to the REST service. */
interface CallDriver {
  /** @param agentUri for its `return_to`. @returns the address to dial */
  target(agentUri: string): Promise<string>;
  /** Makes the caller hang up. */
  hangUp: AbortSignal;
}

export interface CallReport {
  script: string;
  session: string | null;
  answered: boolean;
  over: string;
  /** `X-Ringkey-Outcome` as the agent received it. */
  outcome: string | null;
  headers: Record<string, string>;
  charge: string | null;
  /** The caller's saved cards at the merchant after the call, newest first; null if the script does not check them. */
  cards: SavedCard[] | null;
  timeline: Timeline['entries'];
  /** The differences from the script's expectations; empty if there are none. */
  differences: string[];
}

const OUTCOME = 'X-Ringkey-Outcome';

/** Places one call and reports how it went. Prints the timeline as it happens. @throws RestFailure */
export async function placeCall(
  options: CallOptions,
  { baseUrl, speechFolders, show, driver }: CallEnvironment,
): Promise<CallReport> {
  const { caller: callerNumber, refer: takesRefer } = options;
  const script = selectScript(options);
  const audioSessions = new AudioSessions();
  const timeline = new Timeline(performance.now(), show);
  const returned: Record<string, string>[] = [];
  const agent = await VoiceAgent.start(audioSessions, {
    returned: (headers) => {
      returned.push(headers);
      timeline.add({ kind: 'agent', text: describeReturn(headers) });
    },
    hangsUp: () => timeline.add({ kind: 'agent', text: 'hangs up' }),
  });
  try {
    const given = (await driver?.target(agent.uri)) ?? options.target;
    const checkout = await createCheckoutUnlessGiven(given, options, script, baseUrl, agent.uri, timeline);
    const cardsNow = () => readSavedCards(baseUrl, checkout, options, script);
    const cardsBefore = await cardsNow();
    const target = given ?? (await targetOf(checkout, script, options, baseUrl, timeline));
    if (target == null) throw new Error(`no transfer: ${checkout?.agent_message}`);
    const page = await textedPage(script, checkout, baseUrl, timeline);
    const code = script.dialsCode ? (checkout?.transfer_code ?? null) : null;
    const shown = script.dialsCode ? PLATFORM_NUMBER : callerNumber;
    const call = {
      audioSessions,
      target,
      code,
      callerNumber: shown,
      takesRefer,
      speechFolders,
      timeline,
      hangUp: driver?.hangUp,
    };
    const first = await runCall({ ...call, script, page });
    timeline.add({ kind: 'note', text: first.over });
    const run = script.callsBack === undefined ? first : await callBack({ ...call, script, page: null });
    if (options.record !== undefined)
      await writeRecording(options.record, run === first ? [first.sound] : [first.sound, run.sound]);
    // An agent that is called by `--target` has its own checkout, and refers the caller to it.
    const dialed = [target, ...run.referrals.map(({ uri }) => uri)];
    const session = checkout?.checkout_session_id ?? dialed.map(sessionIdIn).find((id) => id !== null) ?? null;
    const charge = session === null || driver ? undefined : await settledCharge(baseUrl, session, script);
    const cards = await cardsNow();
    const headers = returned.at(-1) ?? run.referrals.findLast(({ headers: sent }) => OUTCOME in sent)?.headers ?? {};
    const outcome = headers[OUTCOME] ?? null;
    const report: CallReport = {
      script: options.script,
      session,
      answered: run.answered,
      over: run.over,
      outcome,
      headers,
      charge: charge ?? null,
      timeline: timeline.entries.toSorted((one, other) => one.atMs - other.atMs),
      differences: [
        ...(charge === undefined && !driver ? unseenDifferences(script, run, timeline.entries) : []),
        ...(run.answered || script.interruption?.action === 'cancel' ? [] : ['the call was not answered']),
        ...lostDifferences(run),
        ...outcomeDifferences(options, script, outcome, charge),
        ...cardDifferences(script, cardsBefore, cards),
        ...hearingDifferences(script, timeline.entries),
      ],
      cards,
    };
    if (cards !== null) {
      timeline.add({ kind: 'note', text: `saved cards: ${cards.map(describeCard).join('; ') || 'none'}` });
    }
    return report;
  } finally {
    await agent.close();
  }
}

/** About as fast as a person can redial. */
const CALL_BACK_AFTER_MS = 2_000;
/** Maximum number of attempts of one caller while the line is busy. */
const MAX_ATTEMPTS = 5;

/**
 * Dials the same address again, repeatedly while the first call still counts as up, and does not interrupt this call.
 */
async function callBack({ script, ...call }: RunOptions): Promise<RunResult> {
  const { interruption: _, callsBack = {}, ...again } = script;
  for (let attempt = 1; ; attempt += 1) {
    await delay(CALL_BACK_AFTER_MS);
    const run = await runCall({ ...call, script: { ...again, answers: callsBack } });
    call.timeline.add({ kind: 'note', text: run.over });
    if (!run.over.startsWith('486') || attempt === MAX_ATTEMPTS) return run;
  }
}

/** The chosen script, with the digits of `--enter`, and with `--card` instead of its first card number. */
function selectScript({ script: name, card, enter }: CallOptions): Script {
  const script = withEntered(SCRIPTS[name], enter);
  if (card === undefined) return script;
  if (script.paysOnPage !== undefined) return { ...script, paysOnPage: card };
  const [, ...later] = script.answers.card_number ?? [];
  const answers = { ...script.answers, card_number: [card, ...later] };
  if (later.length === 0) answers.security_code = [enter.security_code ?? securityCodeFor(card)];
  return { ...script, answers };
}

/** Creates the script's own merchant if it does not exist. */
function merchantOf({ merchant }: CallOptions, script: Script, baseUrl: string): Promise<string> {
  const { processor, tips, smallestPartCents } = script;
  if (processor === undefined || merchant !== script.merchant) return Promise.resolve(merchant);
  return ensureMerchant(baseUrl, merchant, { processor, tips, smallestPartCents });
}

async function createCheckoutUnlessGiven(
  target: string | undefined,
  options: CallOptions,
  script: Script,
  baseUrl: string,
  agentUri: string,
  timeline: Timeline,
): Promise<Checkout | null> {
  if (target !== undefined) return null;
  const { amount: amountCents, caller: callerNumber, return: where } = options;
  const merchant = await merchantOf(options, script, baseUrl);
  if (script.hasSaved !== undefined) await saveCard(baseUrl, merchant, callerNumber, script.hasSaved);
  const returnTo = where === 'none' ? null : where === 'agent' ? agentUri : where;
  const { isHold = false, savesOnly = false } = script;
  const payerName = script.offersBankAccount === true ? 'Demo Caller' : null;
  const checkout = await createCheckout(baseUrl, {
    merchant,
    amountCents,
    callerNumber,
    returnTo,
    isHold,
    savesOnly,
    payerName,
  });
  timeline.add({ kind: 'agent', text: `creates ${checkout.checkout_session_id}, says “${checkout.agent_message}”` });
  return checkout;
}

/**
 * The address that the caller dials: the checkout's, or the line's number if another merchant's checkout must wait,
 * too.
 */
async function targetOf(
  checkout: Checkout | null,
  { dialsNumberBeside: merchant, dialsCode = false }: Script,
  { amount: amountCents, caller: callerNumber }: CallOptions,
  baseUrl: string,
  timeline: Timeline,
): Promise<string | null> {
  if (checkout === null || (merchant === undefined && !dialsCode)) return checkout?.transfer_to ?? null;
  if (merchant !== undefined) {
    const other = await createCheckout(baseUrl, { merchant, amountCents, callerNumber, returnTo: null });
    timeline.add({ kind: 'agent', text: `creates ${other.checkout_session_id} at ${merchant}, for the same caller` });
  }
  const { transfer_to: address, transfer_to_number: number, transfer_code: code } = checkout;
  if (address === null || number === null || (dialsCode && code === null)) throw new RestFailure(NO_NUMBER);
  return `${address.slice(0, address.indexOf(':'))}:${number}@${address.slice(address.indexOf('@') + 1)}`;
}

/** A platform's own number, which its trunk shows for all callers. */
const PLATFORM_NUMBER = '+15550107700';

const NO_NUMBER = `The line has no number. Start the service with
  RINGKEY_TRANSFER_NUMBERS=+15550109999=acct_demo:test RINGKEY_TRUNKS=127.0.0.1/32`;

/**
 * The pay page, if the script pays there. Unless the line texts its link, the agent has it texted before the transfer.
 */
async function textedPage(
  script: Script,
  checkout: Checkout | null,
  baseUrl: string,
  timeline: Timeline,
): Promise<PayPage | null> {
  if (script.paysOnPage === undefined || checkout === null) return null;
  // Always the same link; within a minute of the line's text it is not texted again.
  const link = () => sendLink(baseUrl, checkout.checkout_session_id);
  if (script.textedBy === 'line') return new PayPage(link, baseUrl, timeline);
  const payUrl = await link();
  timeline.add({ kind: 'agent', text: 'has the pay link texted' });
  return new PayPage(async () => payUrl, baseUrl, timeline);
}

/** The checkout session ID in a `transfer_to` URI; null if the URI has none. */
function sessionIdIn(target: string): string | null {
  return /^sips?:(cs_[a-z0-9_]+)-[a-z0-9]+@/i.exec(target)?.[1] ?? null;
}

function readSavedCards(
  baseUrl: string,
  checkout: Checkout | null,
  { caller }: CallOptions,
  script: Script,
): Promise<SavedCard[] | null> {
  const isOfInterest = checkout !== null && script.keepsCard !== undefined;
  return isOfInterest ? readCards(baseUrl, checkout.merchant_id, caller) : Promise.resolve(null);
}

const describeCard = ({ instrument_id: id, brand, last_four: lastFour, expiry }: SavedCard) =>
  `${brand} ending ${lastFour}, ${expiry} (${id})`;

const SAMPLE_RATE = 8_000;
const SETTLE_LIMIT_MS = 60_000;
const SETTLE_POLL_MS = 250;

/** The status of the session's charge (null: no charge), once it is the expected one or the time limit is over. */
async function settledCharge(baseUrl: string, session: string, script: Script): Promise<string | null> {
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const status = (await readSession(baseUrl, session)).charge?.status ?? null;
    if (status === script.charge || performance.now() > deadline) return status;
    await delay(SETTLE_POLL_MS);
  }
}

/** Writes two calls one after the other, with a second of silence between them. */
async function writeRecording(file: string, calls: readonly (readonly Int16Array[])[]): Promise<void> {
  const sound = calls.flatMap((frames, call) => (call === 0 ? frames : [new Int16Array(SAMPLE_RATE), ...frames]));
  const samples = Int16Array.from(sound.flatMap((frame) => [...frame]));
  const wav = new wavefile.WaveFile();
  wav.fromScratch(1, SAMPLE_RATE, '16', samples);
  await writeFile(file, wav.toBuffer());
}
