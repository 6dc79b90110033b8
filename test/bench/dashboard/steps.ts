/**
 * A call beside the open page Now: measures from the start of the last key of each field until the page's stream shows
 * the next step.
 */
import { performance } from 'node:perf_hooks';
import { AudioSessions } from '../../../src/local/scripted-caller/audio.ts';
import { Phone } from '../../../src/local/scripted-caller/phone.ts';
import { createCheckout } from '../../../src/local/scripted-caller/rest-client.ts';
import { testCard } from '../../../src/payments/sandbox/cards.ts';
import { setStage, startProduct, until } from '../call/stage.ts';

/** The keys, and the text that the page then shows. */
const FIELDS: readonly [keys: string, shows: RegExp][] = [
  [testCard('visa').number, /Entering the expiry date/],
  ['1230', /Entering the security code/],
  // The sandbox charges immediately.
  ['123', /Card is being charged|Hearing the outcome/],
];
const NO_CALLS = /No live calls/;
const STEP_LIMIT_MS = 10_000;
const CALL_LIMIT_MS = 60_000;

/** @returns for each step, milliseconds from the start of the key that caused it */
export async function measureSteps(calls: number): Promise<number[]> {
  const stage = await setStage();
  const stop = new AbortController();
  try {
    const { baseUrl } = await startProduct(stage, null);
    if (baseUrl === null) throw new Error('the product has no REST');
    const page = await PageStream.open(`${baseUrl}/dashboard/test/now/events`, stop.signal);
    const measured: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      measured.push(...(await stepsOfCall(baseUrl, page)));
      await page.shows(NO_CALLS, CALL_LIMIT_MS);
    }
    return measured;
  } finally {
    stop.abort();
    await stage.close();
  }
}

async function stepsOfCall(baseUrl: string, page: PageStream): Promise<number[]> {
  const callerNumber = '+15550101234';
  const { transfer_to } = await createCheckout(baseUrl, {
    merchant: 'demo-diner',
    amountCents: 4_250,
    callerNumber,
    returnTo: 'sip:agent@127.0.0.1:9',
  });
  const nothing = () => undefined;
  const phone = await Phone.create(
    new AudioSessions(),
    { callerNumber, takesRefer: true },
    { sip: nothing, frame: nothing, ended: nothing },
  );
  try {
    if (!(await phone.dial(transfer_to ?? ''))) throw new Error('the line did not answer');
    const measured: number[] = [];
    for (const [keys, shows] of FIELDS) {
      await phone.press(keys.slice(0, -1));
      const keyedAt = performance.now();
      await phone.press(keys.slice(-1));
      measured.push((await page.shows(shows, STEP_LIMIT_MS)) - keyedAt);
    }
    return measured;
  } finally {
    await phone.hangUp();
    await phone.close();
  }
}

/** The page's stream, reopened when it ends every minute. */
class PageStream {
  /** Shown texts that no wait has consumed yet, oldest first. */
  #news: { html: string; atMs: number }[] = [];

  static async open(url: string, signal: AbortSignal): Promise<PageStream> {
    const page = new PageStream();
    void page.#read(url, signal).catch((error: unknown) => {
      if (!signal.aborted) console.error(error);
    });
    await page.shows(NO_CALLS, STEP_LIMIT_MS);
    return page;
  }

  /**
   * Waits for text after the previously awaited text. @returns its time. @throws if it does not arrive within the limit
   */
  async shows(text: RegExp, limitMs: number): Promise<number> {
    const place = () => this.#news.findIndex(({ html }) => text.test(html));
    await until(limitMs, () => place() >= 0);
    return this.#news.splice(0, place() + 1).at(-1)?.atMs ?? Number.NaN;
  }

  async #read(url: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { ok, status, body } = await fetch(url, { signal });
      if (!ok || body === null) throw new Error(`the stream of the page answered ${status}`);
      let unread = '';
      for await (const bytes of body) {
        const events = (unread + Buffer.from(bytes).toString()).split('\n\n');
        unread = events.pop() ?? '';
        const atMs = performance.now();
        const news = events.filter((event) => event.startsWith('event: calls\n'));
        this.#news.push(...news.map((html) => ({ html, atMs })));
      }
    }
  }
}
