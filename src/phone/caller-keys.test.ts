import { describe, expect, it } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { CallerKeys } from './caller-keys.ts';
import type { KeyKind } from './ports.ts';

const WITH_EVENTS = 'm=audio 4000 RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n';
const WITHOUT_EVENTS = 'm=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n';

function stage(remoteSdp: string) {
  const notes: string[] = [];
  const kinds: string[] = [];
  const taken: string[] = [];
  const keys = new CallerKeys({
    onKey: (key) => {
      taken.push(key.reveal((text) => text));
      key.wipe();
    },
    note: (step) => notes.push(step),
    kind: (kind) => kinds.push(kind),
  });
  const leg = () => {
    const press: (key: Secret, kind: KeyKind) => void = (key) => key.wipe();
    const media = { detectors: 0, press };
    return Object.assign(media, {
      detectTones: () => {
        media.detectors += 1;
      },
      onKey: (handler: (key: Secret, kind: KeyKind) => void) => {
        media.press = handler;
      },
    });
  };
  const media = leg();
  keys.listenTo(media, remoteSdp);
  return { keys, media, leg, notes, kinds, taken: () => taken.join('') };
}

const pressed = (media: { press(key: Secret, kind: KeyKind): void }, text: string, kind: KeyKind) => {
  for (const key of text) media.press(Secret.of(key), kind);
};

describe('the keys of a call', () => {
  it.each<[KeyKind, KeyKind]>([
    ['telephone_event', 'sound'],
    ['sound', 'telephone_event'],
    ['sip_info', 'sound'],
    ['telephone_event', 'sip_info'],
  ])('count as %s where that came first, and the others are wiped', (first, later) => {
    const { keys, media, notes, taken } = stage(WITH_EVENTS);
    const late: Secret[] = [];
    for (const key of '4242') {
      media.press(Secret.of(key), first);
      const again = Secret.of(key);
      late.push(again);
      keys.press(again, later);
    }
    expect(taken()).toBe('4242');
    expect(late.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
    expect(notes).toHaveLength(1);
  });

  it('are noted by their kind, once', () => {
    const { media, notes } = stage(WITHOUT_EVENTS);
    pressed(media, '42', 'sound');
    expect(notes).toEqual(['keys by sound']);
  });

  it('are looked for in the sound of a phone that sends no events, on each media leg', () => {
    const { keys, media, leg } = stage(WITHOUT_EVENTS);
    expect(media.detectors).toBe(1);
    keys.describe(WITHOUT_EVENTS);
    expect(media.detectors).toBe(2);
    const moved = leg();
    keys.listenTo(moved, WITHOUT_EVENTS);
    expect(moved.detectors).toBe(1);
    pressed(moved, '7', 'sound');
  });

  it('are not looked for in the sound of a phone that sends events, until nothing was keyed', () => {
    const { keys, media, leg, taken } = stage(WITH_EVENTS);
    keys.describe(WITH_EVENTS);
    expect(media.detectors).toBe(0);
    keys.suspectTones();
    keys.suspectTones();
    expect(media.detectors).toBe(1);
    const moved = leg();
    keys.listenTo(moved, WITH_EVENTS);
    expect(moved.detectors).toBe(1);
    pressed(moved, '7', 'sound');
    expect(taken()).toBe('7');
  });

  it('are not looked for in the sound once they came another way', () => {
    const { keys, media } = stage(WITH_EVENTS);
    pressed(media, '4', 'telephone_event');
    keys.suspectTones();
    expect(media.detectors).toBe(0);
  });

  it('may come by sound from the phone that has taken the call over', () => {
    const { keys, media, taken, notes, kinds } = stage(WITH_EVENTS);
    pressed(media, '4', 'telephone_event');
    keys.describe(WITHOUT_EVENTS);
    expect(media.detectors).toBe(1);
    pressed(media, '2', 'sound');
    pressed(media, '9', 'telephone_event');
    expect(taken()).toBe('42');
    expect(notes).toEqual(['keys by telephone-event', 'keys by sound']);
    expect(kinds).toEqual(['telephone-event', 'inband']);
  });
});
