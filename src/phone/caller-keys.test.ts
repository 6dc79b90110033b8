import { describe, expect, it, vi } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { CallerKeys } from './caller-keys.ts';
import type { KeyKind } from './ports.ts';

const WITH_EVENTS = 'm=audio 4000 RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n';
const WITHOUT_EVENTS = 'm=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n';

function stage(remoteSdp: string) {
  let nowMs = 0;
  const notes: string[] = [];
  const kinds: string[] = [];
  const taken: string[] = [];
  const ports = {
    onKey: (key: Secret) => {
      taken.push(key.reveal((text) => text));
      key.wipe();
    },
    note: (step: string) => notes.push(step),
    kind: (kind: string) => kinds.push(kind),
  };
  const keys = new CallerKeys(ports, () => nowMs);
  const leg = () => {
    const press: (key: Secret, kind: KeyKind) => void = (key) => key.wipe();
    const media = { listens: false, press };
    return Object.assign(media, {
      detectTones: () => {
        media.listens = true;
      },
      ignoreTones: () => {
        media.listens = false;
      },
      onKey: (handler: (key: Secret, kind: KeyKind) => void) => {
        media.press = handler;
      },
    });
  };
  const media = leg();
  keys.listenTo(media, remoteSdp);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { keys, media, leg, notes, kinds, pass, taken: () => taken.join('') };
}

const pressed = (media: { press(key: Secret, kind: KeyKind): void }, text: string, kind: KeyKind) => {
  for (const key of text) media.press(Secret.of(key), kind);
};

describe('the keys of a call', () => {
  it.each<[KeyKind, KeyKind]>([
    ['telephone_event', 'sound'],
    ['sip_info', 'sound'],
    ['telephone_event', 'sip_info'],
  ])('count as %s if that came first, and the others are wiped', (first, later) => {
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

  it('may come by sound from the phone that has taken the call over', () => {
    const { keys, media, taken, notes, kinds } = stage(WITH_EVENTS);
    pressed(media, '4', 'telephone_event');
    keys.describe(WITHOUT_EVENTS);
    expect(media.listens).toBe(true);
    pressed(media, '2', 'sound');
    pressed(media, '9', 'telephone_event');
    expect(taken()).toBe('42');
    expect(notes).toEqual(['keys by telephone-event', 'keys by sound']);
    expect(kinds).toEqual(['telephone-event', 'inband']);
  });
});

describe('the sound of a call', () => {
  it.each([
    ['that offers events', WITH_EVENTS],
    ['that offers none', WITHOUT_EVENTS],
  ])('from a phone %s is searched for keys from the start, on each media leg', (_phone, sdp) => {
    const { keys, media, leg, taken } = stage(sdp);
    expect(media.listens).toBe(true);
    const moved = leg();
    keys.listenTo(moved, sdp);
    expect(moved.listens).toBe(true);
    pressed(moved, '42424242', 'sound');
    expect(taken()).toBe('42424242');
  });

  it.each<KeyKind>(['telephone_event', 'sip_info'])('is not searched any more after a key by %s', (kind) => {
    const { keys, media, leg } = stage(WITH_EVENTS);
    pressed(media, '4', kind);
    expect(media.listens).toBe(false);
    keys.describe(WITH_EVENTS);
    expect(media.listens).toBe(false);
    const moved = leg();
    keys.listenTo(moved, WITH_EVENTS);
    expect(moved.listens).toBe(false);
  });

  it.each<KeyKind>(['telephone_event', 'sip_info'])(
    'in which each key is heard before it comes by %s gives every key once',
    (kind) => {
      const { media, taken, notes, kinds } = stage(WITH_EVENTS);
      for (const key of '4422') {
        pressed(media, key, 'sound');
        pressed(media, key, kind);
      }
      expect(taken()).toBe('4422');
      expect(notes).toHaveLength(2);
      expect(kinds.at(-1)).toBe(kind === 'sip_info' ? 'info' : 'telephone-event');
    },
  );

  it('in which two keys are heard before their events come gives them once', () => {
    const { media, taken } = stage(WITH_EVENTS);
    pressed(media, '42', 'sound');
    pressed(media, '42', 'telephone_event');
    pressed(media, '2', 'sound');
    pressed(media, '2', 'telephone_event');
    expect(taken()).toBe('422');
  });

  it('in which a voice was taken for a key does not lock out the keys that follow as events', () => {
    const { media, taken, pass } = stage(WITH_EVENTS);
    pressed(media, '9', 'sound');
    pass(6_000);
    pressed(media, '9424', 'telephone_event');
    expect(taken()).toBe('99424');
  });

  it('in which the first four keys were heard counts for the whole call', () => {
    const { media, taken } = stage(WITH_EVENTS);
    pressed(media, '4242', 'sound');
    pressed(media, '9', 'telephone_event');
    pressed(media, '1', 'sound');
    expect(taken()).toBe('42421');
  });

  it('leaves no key behind when the call ends', () => {
    const { keys, media, taken } = stage(WITH_EVENTS);
    const copies: Secret[] = [];
    const copy = vi.spyOn(Secret.prototype, 'copy').mockImplementation(function (this: Secret) {
      const made = Secret.of(this.reveal((text) => text));
      copies.push(made);
      return made;
    });
    pressed(media, '42', 'sound');
    copy.mockRestore();
    expect(copies.map(({ length }) => length)).toEqual([1, 1]);
    keys.close();
    expect(copies.map(({ length }) => length)).toEqual([0, 0]);
    expect(taken()).toBe('42');
  });
});
