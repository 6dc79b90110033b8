/**
 * A load of payers on the pay page without JavaScript: cards with and without 3-D Secure, two windows, changes of mind.
 */
import { testCard } from '../../src/payments/sandbox/cards.ts';
import { getPage, type PageAnswer, submitForm, VISA } from '../page/pages.ts';
import type { Random } from '../support/random.ts';

/** A session with its pay link. */
export interface PageSession {
  sessionId: string;
  url: string;
}

interface PageVisitOptions {
  random: Random;
  /** Called when a payer has seen the receipt of this session. */
  paid(sessionId: string): void;
  /** Called with a page that no payer should see. */
  onUnexpected(page: string): void;
}

interface PageLoadOptions extends PageVisitOptions {
  sessions: readonly PageSession[];
  payers: number;
}

/** Names of test cards; more likely ones appear more often. */
const CARDS: readonly [string, ...string[]] = [
  'asks_approved',
  'asks_approved',
  'asks_approved',
  'asks_approved',
  'asks_abandoned',
  'asks_refused',
  'asks_declined',
  'visa',
  'visa',
  'insufficient_funds',
  'breaks_then_succeeds',
];

/** Pages that a payer may see. */
const STATES = ['ready', 'working', 'action', 'paid', 'declined', 'no_more_attempts', 'pending'];
/** On an error page, whatever its state: the database is unavailable. */
const AWAY = [500, 503];

/** Payers pay until the service stops answering. @returns when the last payer has given up */
export async function payUntilStopped(options: PageLoadOptions): Promise<void> {
  const { random, sessions } = options;
  const payer = async () => {
    for (let isThere = true; isThere; ) {
      const session = sessions[random.below(sessions.length)];
      if (session === undefined) return;
      isThere = await visitPayPage(options, session).catch(() => false);
    }
  };
  await Promise.all(Array.from({ length: options.payers }, payer));
}

/** A payer opens the page and does what it asks for. @throws if the service does not answer */
export async function visitPayPage(options: PageVisitOptions, session: PageSession): Promise<true> {
  const page = await getPage(session.url);
  if (page.attempt !== undefined) await pay(options, session, page.attempt);
  else await goOn(options, session, page);
  return true;
}

async function pay(options: PageVisitOptions, session: PageSession, attempt: string): Promise<void> {
  const { number } = testCard(options.random.pick(CARDS));
  const fields = { ...VISA, attempt, number };
  // Sometimes a double click.
  const clicks = options.random.oneIn(4) ? [fields, fields] : [fields];
  const pages = await Promise.all(clicks.map((each) => send(session.url, each)));
  await Promise.all(pages.map((page) => goOn(options, session, page)));
}

/** Completes the challenge once or twice at once, refuses it, or abandons it; a later payer may continue it. */
async function goOn(options: PageVisitOptions, session: PageSession, page: PageAnswer): Promise<void> {
  if (page.state === 'paid') options.paid(session.sessionId);
  if (page.state !== 'action') return report(options, page);
  const answers = options.random.pick<readonly string[]>([
    ['confirm'],
    ['confirm'],
    ['confirm', 'confirm'],
    ['confirm', 'cancel'],
    ['cancel'],
    [],
  ]);
  const pages = await Promise.all(answers.map((answer) => send(`${session.url}/action`, { answer })));
  for (const after of pages) {
    if (after.state === 'paid') options.paid(session.sessionId);
    report(options, after);
  }
}

function report({ onUnexpected }: PageVisitOptions, { status, state }: PageAnswer): void {
  const isExpected = AWAY.includes(status) || (state !== undefined && STATES.includes(state));
  if (!isExpected) onUnexpected(`${status} ${state}`);
}

/** The page after a form. An error page is returned as it is. */
async function send(url: string, fields: Record<string, string>): Promise<PageAnswer> {
  return submitForm(url, fields).catch((error: unknown) => {
    const status = /^the form was answered (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (status === undefined) throw error;
    return { status: Number(status), headers: new Headers(), html: '', state: undefined, attempt: undefined };
  });
}
