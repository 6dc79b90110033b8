/** What `ringkey call` does: creates a checkout by REST, calls it over SIP and RTP, and reports the outcome. */
import { writeFile } from 'node:fs/promises';
import wavefile from 'wavefile';
import { type ReturnedCall, VoiceAgent } from './voice-agent.ts';
import { AudioSessions } from './audio.ts';
import {
  type Checkout,
  createCheckout,
  readCards,
  readSession,
  type SavedCard,
  type CheckoutSession,
} from './rest-client.ts';
import type { CallOptions } from './options.ts';
import { describeReturn, type RunResult, runCall } from './scripted-caller.ts';
import { SCRIPTS, type Script } from './scripts.ts';
import { Timeline } from './timeline.ts';

export interface CallEnvironment {
  /** Of the REST service, e.g. `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** Folders with rendered prompts, which the speech recognizer knows. */
  speechFolders: readonly string[];
  print(line: string): void;
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
  /** The caller's saved cards at the merchant afterwards, newest first; null where the script does not check them. */
  cards: SavedCard[] | null;
  timeline: Timeline['entries'];
  /** What differs from what the script expects; empty when all is well. */
  differences: string[];
}

/** Places one call and reports how it went. Prints the timeline as it happens. @throws RestFailure */
export async function placeCall(options: CallOptions, surroundings: CallEnvironment): Promise<CallReport> {
  const script = selectScript(options);
  const audioSessions = new AudioSessions('127.0.0.1');
  const timeline = new Timeline(performance.now(), surroundings.print);
  const returned: ReturnedCall[] = [];
  const agent = await VoiceAgent.start(audioSessions, {
    onReturn: (call) => {
      returned.push(call);
      timeline.add({ kind: 'agent', text: describeReturn(call) });
    },
    onHangUp: () => timeline.add({ kind: 'agent', text: 'hangs up' }),
  });
  try {
    const checkout = await createCheckoutUnlessGiven(options, surroundings, agent.uri, timeline);
    const cardsNow = () => readSavedCards(surroundings.baseUrl, checkout, options, script);
    const cardsBefore = await cardsNow();
    const target = options.target ?? checkout?.transfer_to;
    if (target == null) throw new Error(`no transfer: ${checkout?.agent_message}`);
    const { speechFolders } = surroundings;
    const { callerNumber, takesRefer } = options;
    const run = await runCall({ audioSessions, target, script, callerNumber, takesRefer, speechFolders, timeline });
    timeline.add({ kind: 'note', text: run.over });
    if (options.record !== null) await writeRecording(options.record, run.sound);
    const sessionId = checkout?.checkout_session_id ?? sessionIdIn(target);
    const session = sessionId === null ? null : await waitForSettledSession(surroundings.baseUrl, sessionId, script);
    const cards = await cardsNow();
    const told = createReport(options, sessionId, run, returned[0] ?? null, session, timeline);
    const differences = [...told.differences, ...cardDifferences(script, cardsBefore, cards)];
    if (cards !== null)
      timeline.add({ kind: 'note', text: `saved cards: ${cards.map(describeCard).join('; ') || 'none'}` });
    return { ...told, cards, differences };
  } finally {
    await agent.close();
  }
}

/** The chosen script, with `--card` in place of its first card number. */
function selectScript(options: CallOptions): Script {
  const script: Script = SCRIPTS[options.script];
  if (options.card === null) return script;
  const [, ...later] = script.answers.card_number ?? [];
  return { ...script, answers: { ...script.answers, card_number: [options.card, ...later] } };
}

async function createCheckoutUnlessGiven(
  options: CallOptions,
  { baseUrl }: CallEnvironment,
  agentUri: string,
  timeline: Timeline,
): Promise<Checkout | null> {
  if (options.target !== null) return null;
  const returnTo = options.returnTo === 'none' ? null : options.returnTo === 'agent' ? agentUri : options.returnTo;
  const { merchant, amountCents, callerNumber } = options;
  const checkout = await createCheckout(baseUrl, { merchant, amountCents, callerNumber, returnTo });
  timeline.add({ kind: 'agent', text: `creates ${checkout.checkout_session_id}, says “${checkout.agent_message}”` });
  return checkout;
}

/** The checkout session id in a `transfer_to` URI; null when the URI has none. */
function sessionIdIn(target: string): string | null {
  return /^sips?:(cs_[a-z0-9_]+)-[a-z0-9]+@/i.exec(target)?.[1] ?? null;
}

function readSavedCards(
  baseUrl: string,
  checkout: Checkout | null,
  { callerNumber }: CallOptions,
  script: Script,
): Promise<SavedCard[] | null> {
  const isOfInterest = checkout !== null && script.keepsCard !== undefined;
  return isOfInterest ? readCards(baseUrl, checkout.merchant_id, callerNumber) : Promise.resolve(null);
}

const describeCard = ({ instrument_id: id, brand, last_four: lastFour, expiry }: SavedCard) =>
  `${brand} ending ${lastFour}, ${expiry} (${id})`;

function cardDifferences(script: Script, before: SavedCard[] | null, after: SavedCard[] | null): string[] {
  if (before === null || after === null) return [];
  const isKept = after.some(({ last_four: lastFour }) => script.answers.card_number?.at(-1)?.endsWith(lastFour));
  if (script.keepsCard && !isKept) return ['the card was not saved'];
  return !script.keepsCard && after.length > before.length ? ['the card was saved'] : [];
}

const SETTLE_LIMIT_MS = 30_000;
const SETTLE_POLL_MS = 250;

/** Reads the session until its charge has the status that the script expects, or until the time limit. */
async function waitForSettledSession(baseUrl: string, id: string, script: Script): Promise<CheckoutSession> {
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const session = await readSession(baseUrl, id);
    const settled = (session.charge?.status ?? null) === script.charge;
    if (settled || performance.now() > deadline) return session;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS));
  }
}

function createReport(
  options: CallOptions,
  sessionId: string | null,
  run: RunResult,
  returned: ReturnedCall | null,
  session: CheckoutSession | null,
  timeline: Timeline,
): Omit<CallReport, 'cards'> {
  const script = SCRIPTS[options.script];
  const outcome = returned?.headers['X-Ringkey-Outcome'] ?? null;
  const charge = session?.charge?.status ?? null;
  const differences: string[] = [];
  // With a `return_to` or target of the user's own, the outcome headers do not reach this program.
  const isOurs = options.returnTo === 'agent' && options.target === null;
  if (isOurs && outcome !== script.expects) differences.push(`outcome ${outcome}, expected ${script.expects}`);
  if (session && charge !== script.charge) differences.push(`charge ${charge}, expected ${script.charge}`);
  return {
    script: options.script,
    session: sessionId,
    answered: run.answered,
    over: run.over,
    outcome,
    headers: returned?.headers ?? {},
    charge,
    timeline: timeline.entries.toSorted((one, other) => one.atMs - other.atMs),
    differences,
  };
}

async function writeRecording(file: string, sound: readonly Int16Array[]): Promise<void> {
  const samples = new Int16Array(sound.reduce((length, frame) => length + frame.length, 0));
  let at = 0;
  for (const frame of sound) {
    samples.set(frame, at);
    at += frame.length;
  }
  const wav = new wavefile.WaveFile();
  wav.fromScratch(1, 8_000, '16', samples);
  await writeFile(file, wav.toBuffer());
}
