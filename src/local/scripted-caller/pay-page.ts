/** The caller's browser, as plain HTTP: opens the texted pay link, fills in the sandbox's form and submits it. */
import { RestFailure } from './rest-client.ts';
import type { Timeline } from './timeline.ts';

const LIMIT_MS = 30_000;
const EXPIRY = '12 / 30';
const SECURITY_CODE = '123';

export class PayPage {
  readonly #link: () => Promise<string>;
  readonly #baseUrl: string;
  readonly #timeline: Timeline;
  #url = '';

  /** @param link the texted link, as in the response of `send_link`; requested at `baseUrl` instead of its own host */
  constructor(link: () => Promise<string>, baseUrl: string, timeline: Timeline) {
    this.#link = link;
    this.#baseUrl = baseUrl;
    this.#timeline = timeline;
  }

  /** Like a browser that runs scripts: a GET alone does not open the page. @throws RestFailure */
  async open(): Promise<void> {
    this.#url = new URL(new URL(await this.#link()).pathname, this.#baseUrl).href;
    this.#timeline.add({ kind: 'page', text: 'opens the link' });
    await this.#send(this.#url);
    await this.#send(`${this.#url}/opened`, { method: 'POST' });
  }

  /** @throws RestFailure */
  async pay(cardNumber: string): Promise<void> {
    const attempt = /name="attempt" value="([^"]+)"/.exec(await this.#send(this.#url))?.[1];
    if (attempt === undefined) throw new RestFailure('the pay page has no form');
    this.#timeline.add({ kind: 'page', text: `pays with the card ending ${cardNumber.slice(-4)}` });
    const fields = { attempt, number: cardNumber, expiry: EXPIRY, security_code: SECURITY_CODE };
    const page = await this.#send(this.#url, { method: 'POST', body: new URLSearchParams(fields) });
    this.#timeline.add({ kind: 'page', text: `says ${/<main data-state="(\w+)"/.exec(page)?.[1] ?? 'nothing'}` });
  }

  async #send(url: string, init: RequestInit = {}): Promise<string> {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(LIMIT_MS) }).catch((error: Error) => {
      throw new RestFailure(`the pay page can't be reached: ${error.message}`);
    });
    const text = await response.text();
    if (!response.ok) throw new RestFailure(`the pay page returned ${response.status}`);
    return text;
  }
}
