/** The encrypted audio of test callers: its offers and answers, and that sound and keys arrive. */
import { afterEach, expect, test } from 'vitest';
import { type AudioSession, AudioSessions } from '../../src/local/scripted-caller/audio.ts';
import { EncryptedAudioSessions } from './encrypted-audio.ts';

const LOUD = Int16Array.from({ length: 1_600 }, (_, at) => 8_000 * Math.sin(at / 4));

const sessions = new EncryptedAudioSessions();
const open: AudioSession[] = [];

async function openSession(from: AudioSessions, onFrame: (samples: Int16Array) => void = () => undefined) {
  const session = await from.openSession(onFrame);
  open.push(session);
  return session;
}

afterEach(() => {
  for (const session of open.splice(0)) session.close();
});

test('sound and keys arrive over encrypted audio', async () => {
  let hearsSound: () => void = () => undefined;
  const soundArrived = new Promise<void>((resolve) => {
    hearsSound = resolve;
  });
  const [caller, agent] = [
    await openSession(sessions),
    await openSession(sessions, (samples) => samples.some((sample) => sample > 4_000) && hearsSound()),
  ];
  const offer = caller.offer();
  expect(offer).toMatch(
    /\r\nm=audio \d+ RTP\/SAVP 0 8 101\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[\w+/]{40}\r\na=rtpmap:0 PCMU\/8000\r\n/,
  );
  const answer = agent.answer(offer) ?? '';
  expect(answer).toMatch(/\r\nm=audio \d+ RTP\/SAVP 0 101\r\na=crypto:1 /);
  expect(caller.connect(answer)).toBe(true);
  void caller.play(LOUD);
  await soundArrived;
  await caller.press('42');
  expect(agent.events).toBeGreaterThan(0);
  expect(sessions.packets.decrypted).toBeGreaterThan(0);
  expect(sessions.packets.refused).toBe(0);
});

test('plain audio is not accepted, and is refused if encrypted audio is also offered', async () => {
  const [caller, plain] = [await openSession(sessions), await openSession(new AudioSessions())];
  const offer = plain.offer();
  expect(caller.answer(offer)).toBeNull();
  expect(caller.connect(offer)).toBe(false);
  expect(plain.answer(caller.offer())).toBeNull();
  const encrypted = caller.offer();
  const both = `${encrypted}${offer.slice(offer.indexOf('m='))}`;
  const answer = caller.answer(both) ?? '';
  expect(answer.match(/^m=audio .*$/gm)).toEqual([
    expect.stringMatching(/^m=audio [1-9]\d* RTP\/SAVP 0 101$/),
    'm=audio 0 RTP/AVP 0 8 101',
  ]);
});
