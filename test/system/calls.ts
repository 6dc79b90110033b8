/** Calls by SIP in which a scripted caller pays, and what caller and agent were told. */

import { callOptionsOf, createCallCommand } from '../../src/local/scripted-caller/options.ts';
import { placeCall } from '../../src/local/scripted-caller/place-call.ts';
import { RestFailure } from '../../src/local/scripted-caller/rest-client.ts';
import type { ScriptName } from '../../src/local/scripted-caller/scripts.ts';
import type { TimedEntry } from '../../src/local/scripted-caller/timeline.ts';
import { DEMO_SIGNING_SECRET } from '../../src/local/standalone/demo-data.ts';
import { testCard } from '../../src/payments/sandbox/cards.ts';
import { type Announcement, noteOutcome, noteSentence } from '../bench/scale/caller.ts';
import { verifyOutcomeHeaders } from '../support/outcome-headers.ts';
import type { Random } from '../support/random.ts';
import { turnToCall } from '../support/turn-to-call.ts';
import { newCallerNumber, type SystemRun } from './run.ts';

export interface CallStory {
  script: ScriptName;
  /** Empty if no checkout could be created. */
  sessionId: string;
  announced: Announcement[];
  /** The outcome headers that the agent received last. */
  headers: Record<string, string>;
  /** Whether everything went as the script expects: not if a process was killed or stopped during the call. */
  isAsExpected: boolean;
}

/** In this order, and then from the beginning. */
export const SCRIPTS_OF_CALLS: readonly [ScriptName, ...ScriptName[]] = [
  'pay',
  'hold',
  'hangup-mid-card',
  'ach',
  'pay',
  'tip',
  'save-only',
  'decline-then-ok',
  'hold',
  'part',
  'call-back',
  'star-star',
  'save-card',
  'hangup-while-paying',
];

/** In these calls another card is entered: the one of the scripts is in the welcome of the demo, which is in the logs. */
const WITH_OTHER_CARD = new Set<ScriptName>([
  'pay',
  'hold',
  'tip',
  'part',
  'save-only',
  'save-card',
  'hangup-mid-card',
]);
const OTHER_CARDS = ['mastercard_2', 'discover', 'visa_debit'] as const;

export async function callTheLine(run: SystemRun, random: Random, script: ScriptName): Promise<void> {
  const story: CallStory = { script, sessionId: '', announced: [], headers: {}, isAsExpected: false };
  run.calls.push(story);
  await turnToCall();
  const words = ['--script', script, '--caller', newCallerNumber(), ...(random.oneIn(3) ? ['--no-refer'] : [])];
  if (WITH_OTHER_CARD.has(script)) words.push('--card', testCard(random.pick(OTHER_CARDS)).number);
  try {
    const report = await placeCall(callOptionsOf(createCallCommand().parse(words, { from: 'user' })), {
      baseUrl: run.baseUrl,
      speechFolders: [run.speechFolder],
      show: (entry) => note(run, story, entry),
    });
    story.isAsExpected = report.differences.length === 0;
  } catch (error) {
    // The api process that answered was killed. What came of the call is in the database.
    if (!(error instanceof RestFailure)) throw error;
  }
}

function note(run: SystemRun, story: CallStory, entry: TimedEntry): void {
  const created = entry.kind === 'agent' ? /^creates (cs_\w+),/.exec(entry.text)?.[1] : undefined;
  if (created !== undefined) story.sessionId = created;
  if (entry.kind === 'said' && entry.complete) noteSentence(story, entry.text);
  if (entry.kind === 'agent' && entry.text.startsWith('answers')) noteReturn(run, story, entry.text);
}

function noteReturn({ unexpected }: SystemRun, story: CallStory, text: string): void {
  story.headers = Object.fromEntries(
    [...text.matchAll(/^\s+([\w-]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  noteOutcome(story, story.headers['X-Ringkey-Outcome'] ?? 'none');
  if (!verifyOutcomeHeaders(story.headers, DEMO_SIGNING_SECRET, new Date())) {
    unexpected.push(`${story.sessionId}: outcome headers with a wrong signature`);
  }
}
