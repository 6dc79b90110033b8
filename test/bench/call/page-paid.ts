/** Calls with a texted link: measures from the tap on Pay to the first sound of the line's reaction. */

import { AudioSessions } from '../../../src/local/scripted-caller/audio.ts';
import { Phone } from '../../../src/local/scripted-caller/phone.ts';
import { createCheckout, sendLink } from '../../../src/local/scripted-caller/rest-client.ts';
import { frameOf, isAudible } from '../../../src/local/scripted-caller/sound-frames.ts';
import { testCard } from '../../../src/payments/sandbox/cards.ts';
import { until } from './stage.ts';

/** After this silence, the previous sentence has ended. */
const QUIET_MS = 1_500;
const SENTENCE_LIMIT_MS = 30_000;
const AT_ONCE = 4;
const FIELDS = { number: testCard('visa').number, expiry: '12 / 30', security_code: '123' };

/** @returns for each call, milliseconds from the form's submission to the first frame with sound */
export async function measurePagePaid(baseUrl: string, calls: number): Promise<number[]> {
  const measured: number[] = [];
  for (let first = 0; first < calls; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, calls - first) }, (_, place) => first + place);
    measured.push(...(await Promise.all(numbers.map((number) => payBesideCall(baseUrl, number)))));
  }
  return measured;
}

async function payBesideCall(baseUrl: string, number: number): Promise<number> {
  const callerNumber = `+1555010${2_000 + number}`;
  const checkout = await createCheckout(baseUrl, {
    merchant: 'demo-diner',
    amountCents: 4_250,
    callerNumber,
    returnTo: 'sip:agent@127.0.0.1:9',
  });
  let sounds = 0;
  let lastSoundAt = Number.NEGATIVE_INFINITY;
  let firstSoundAfter: (atMs: number) => void = () => undefined;
  const frame = (samples: Int16Array, atMs: number) => {
    if (!isAudible(frameOf(samples))) return;
    sounds += 1;
    lastSoundAt = atMs;
    firstSoundAfter(atMs);
  };
  const nothing = () => undefined;
  const phone = await Phone.create(
    new AudioSessions(),
    { callerNumber, takesRefer: true },
    { sip: nothing, frame, ended: nothing },
  );
  /** Whether the line has spoken since the call of this function, and is silent again. */
  const hasSpoken = () => {
    const before = sounds;
    return until(SENTENCE_LIMIT_MS, () => sounds > before && performance.now() - lastSoundAt > QUIET_MS);
  };
  try {
    if (!(await phone.dial(checkout.transfer_to ?? ''))) throw new Error('the line did not answer');
    await phone.press('##');
    await hasSpoken();
    const page = new URL(new URL(await sendLink(baseUrl, checkout.checkout_session_id)).pathname, baseUrl).href;
    const opened = hasSpoken();
    await fetch(`${page}/opened`, { method: 'POST' });
    await opened;
    const attempt = /name="attempt" value="([^"]+)"/.exec(await (await fetch(page)).text())?.[1] ?? '';
    const announced = new Promise<number>((resolve) => {
      firstSoundAfter = resolve;
    });
    const paidAt = performance.now();
    const paying = fetch(page, { method: 'POST', body: new URLSearchParams({ attempt, ...FIELDS }) });
    const announcedAt = await announced;
    await paying;
    return announcedAt - paidAt;
  } finally {
    await phone.hangUp();
    await phone.close();
  }
}
