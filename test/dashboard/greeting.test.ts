/** Playing a merchant's greeting in an unsaved language and voice: espeak-ng, real HTTP, a browser. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { createEspeak, type EspeakOptions } from '../../src/speech/espeak/espeak.ts';
import type { SpeechLimits } from '../../src/speech/renderer.ts';
import { createSpeech, type SpeechService } from '../../src/speech/speech.ts';
import { Synthesizers } from '../../src/speech/synthesizers.ts';
import { fromWav } from '../../src/speech/wav.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

const PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url));
const PAGE = `/test/setup/merchants/${DEMO_DINER}`;
const CHOICE = { business_name: 'Not the name', language: 'es-MX', second_language: 'en', voice: 'es+f3' };

let folder: string;
const services: SpeechService[] = [];

async function speechOf(synthesizers: Synthesizers, limits: Partial<SpeechLimits> = {}): Promise<SpeechService> {
  const log = { warn: () => undefined };
  const speech = await createSpeech({ folder, promptsFolder: PROMPTS, synthesizers, log, limits });
  services.push(speech);
  return speech;
}
const espeak = (options: EspeakOptions = {}) => new Synthesizers([createEspeak(options)], 'espeak-ng');

let dashboard: TestDashboard;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringkey-greeting-'));
  dashboard = await startDashboard({ voices: await speechOf(espeak()) });
});
afterAll(async () => {
  await dashboard.close();
  for (const speech of services) speech.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => dashboard.as('owner'));

const playGreeting = (fields: Record<string, string>, page = PAGE) =>
  dashboard.submit(page, `${page}/greeting`, fields);
const playerOf = (html: string) => (/<audio [^>]*src="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

/** The audio of a page's player, as the browser fetches it. */
async function audioOf(html: string, headers: Record<string, string> = {}): Promise<Response> {
  const { cookie } = dashboard.user;
  return fetch(dashboard.api.url + playerOf(html), { headers: { cookie, ...headers } });
}

describe('the greeting', () => {
  it('plays in an unsaved language and voice, with its text next to it', async () => {
    const { status, html } = await playGreeting(CHOICE);
    expect(status).toBe(200);
    expect(html).toContain('<p lang="es-MX">Demo Diner, cuarenta y dos dólares');
    expect(html).toContain('<p lang="en">For English');
    expect(html).not.toContain('autoplay');
    const audio = await audioOf(html);
    expect(audio.headers.get('content-type')).toBe('audio/wav');
    const { samples, hz } = fromWav(Buffer.from(await audio.arrayBuffer()));
    expect(hz).toBe(8_000);
    expect(samples.length / hz).toBeGreaterThan(4);
    expect(Math.max(...samples)).toBeGreaterThan(0.1);
  });

  it('keeps the entries of the form, and does not change the merchant', async () => {
    const { html } = await playGreeting(CHOICE);
    expect(html).toContain('value="Not the name"');
    expect(html).toContain('value="es+f3"');
    expect((await dashboard.api.get(`/v1/merchants/${DEMO_DINER}`)).body).toMatchObject({
      business_name: 'Demo Diner',
      language: 'en-US',
      voice: null,
    });
  });

  it('is rendered only once, and can be requested in parts', async () => {
    const { html } = await playGreeting({ ...CHOICE, voice: 'es+m7' });
    const before = await readdir(folder);
    await playGreeting({ ...CHOICE, voice: 'es+m7' });
    const part = await audioOf(html, { range: 'bytes=0-43' });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 44]);
    expect(await readdir(folder)).toEqual(before);
  });

  it.each([
    ['voice', 'polly:Joanna'],
    ['voice', '--help'],
    ['voice', 'openai:nova'],
    ['voice', `en${'x'.repeat(100)}`],
    ['language', ''],
    ['language', 'es_%00'],
    ['language', '<b>en</b>'],
  ])('rejects the %s "%s" at the field', async (name, value) => {
    const { status, html } = await playGreeting({ ...CHOICE, [name]: value });
    expect(status).toBe(422);
    expect(html).toContain(`id="field-${name}-fault"`);
    expect(html).not.toContain('<audio');
    const query = new URLSearchParams({ ...CHOICE, [name]: value });
    expect((await dashboard.get(`${PAGE}/greeting.wav?${query}`)).status).toBe(400);
  });

  it('ignores text in the request', async () => {
    // Renders the offer of English, which all voices share.
    await playGreeting(CHOICE);
    const before = (await readdir(folder)).length;
    const query = new URLSearchParams({ ...CHOICE, text: 'Hello', line: 'goodbye', voice: 'es+m5' });
    const { status } = await dashboard.get(`${PAGE}/greeting.wav?${query}`);
    expect(status).toBe(200);
    // Two sentences (the name with the amount, the instructions), each as audio and as text.
    expect((await readdir(folder)).length - before).toBe(4);
  });

  it('returns 404 for a merchant of another account', async () => {
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    expect((await dashboard.submit('/test/setup/account', `${PAGE}/greeting`, CHOICE)).status).toBe(404);
    expect((await dashboard.get(`${PAGE}/greeting.wav?language=en`)).status).toBe(404);
  });

  it('plays only for roles that may change the merchant', async () => {
    for (const role of ['viewer', 'support'] as const) {
      await dashboard.as(role);
      expect((await playGreeting(CHOICE)).status).toBe(403);
      expect((await dashboard.get(`${PAGE}/greeting.wav?language=en`)).status).toBe(403);
    }
    await dashboard.as('developer');
    expect((await playGreeting(CHOICE)).html).toContain('<audio');
  });

  it('is not rendered for requests from another site', async () => {
    const query = new URLSearchParams({ ...CHOICE, voice: 'es+m2' });
    const before = await readdir(folder);
    const sample = await dashboard.get(`${PAGE}/greeting.wav?${query}`, { 'sec-fetch-site': 'cross-site' });
    expect(sample.status).toBe(403);
    expect(await readdir(folder)).toEqual(before);
  });

  it('shows markup in a name as text', async () => {
    const made = await dashboard.api.post('/v1/merchants', { business_name: '<img src=x> & Söhne' });
    const page = `/test/setup/merchants/${String(made.body.merchant_id)}`;
    const { html } = await playGreeting({ ...CHOICE, language: 'en' }, page);
    expect(html).toContain('&lt;img src=x>');
    expect(html).not.toContain('<img src=x>');
    expect(html).toContain('<audio');
  });
});

describe('without audio', () => {
  it.each([
    ['there is no synthesizer', () => new Synthesizers([], null), 'This service has no synthesizer'],
    ['the synthesizer fails', () => espeak({ command: '/nowhere/espeak-ng' }), 'No synthesizer responded in time'],
  ])('says on the page that %s', async (_, synthesizers, words) => {
    const other = await startDashboard({ voices: await speechOf(synthesizers()) });
    try {
      const { status, html } = await other.submit(PAGE, `${PAGE}/greeting`, {
        ...CHOICE,
        voice: '',
        language: 'fr-CA',
      });
      expect(status).toBe(200);
      expect(html).toContain(words);
      expect(html).not.toContain('<audio');
      expect((await other.get(`${PAGE}/greeting.wav?language=fr-CA`)).status).toBe(400);
    } finally {
      await other.close();
    }
  });
});

test('renders no new voice once the account has used up its speech of the hour, and says so', async () => {
  const other = await startDashboard({ voices: await speechOf(espeak(), { maxAccountBytes: 1 }) });
  try {
    const choose = (voice: string) => other.submit(PAGE, `${PAGE}/greeting`, { ...CHOICE, language: 'de', voice });
    await choose('de+f4');
    const { html } = await choose('de+m4');
    expect(html).toContain('reached its speech limit for this hour');
    expect(html).not.toContain('<audio');
  } finally {
    await other.close();
  }
});

describe('in a browser', () => {
  it('plays the greeting only when its controls are used, under the CSP, and works without scripts', async () => {
    const chrome = await startTestBrowser();
    try {
      for (const javaScriptEnabled of [true, false]) {
        const context = await chrome.browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' });
        const [name = '', value = ''] = dashboard.user.cookie.split('=');
        await context.addCookies([{ name, value, url: dashboard.api.url }]);
        const page = await context.newPage();
        await page.goto(`${dashboard.api.url}/dashboard${PAGE}`);
        await page.getByLabel('Voice').fill('en-gb');
        await page.getByRole('button', { name: 'Play greeting' }).click();
        await page.waitForURL(/greeting#heard$/);
        expect(await page.getByLabel('Voice').inputValue()).toBe('en-gb');
        expect(await page.getByRole('link', { name: 'Open the audio file' }).count()).toBe(1);
        if (javaScriptEnabled) {
          expect(await page.evaluate(PLAYED)).toBeGreaterThan(3);
          expect(await findBarriers(page)).toEqual([]);
          if (keepsScreenshots) await takeScreenshots(page, 'dashboard-setup-greeting');
        }
        await context.close();
      }
    } finally {
      await chrome.close();
    }
  });
});

/** The length of the audio in seconds once it can play; -1 if it started to play by itself. */
const PLAYED = `(async () => {
  const player = document.querySelector('audio');
  if (!player.paused) return -1;
  player.preload = 'auto';
  await new Promise((resolve, reject) => {
    player.oncanplaythrough = resolve;
    player.onerror = () => reject(new Error('the audio cannot be played: ' + player.error.message));
    player.load();
  });
  return player.duration;
})()`;
