import { describe, expect, it, vi } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { KeyBuffer } from './key-buffer.ts';
import type { KeyKind } from './ports.ts';

const WITH_EVENTS = 'm=audio 4000 RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n';
const WITHOUT_EVENTS = 'm=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n';

/** A buffer of a call that is not answered yet. */
function ringing(sdp = WITH_EVENTS) {
  let nowMs = 0;
  const notes: string[] = [];
  const kinds: string[] = [];
  const read: string[] = [];
  const buffer = new KeyBuffer(sdp, () => nowMs);
  const reader = {
    onKey: (key: Secret) => {
      read.push(key.reveal((text) => text));
      key.wipe();
    },
    note: (step: string) => notes.push(step),
    kind: (kind: string) => kinds.push(kind),
  };
  const press = (text: string, kind: KeyKind = 'telephone_event') => {
    const keys = [...text].map((key) => Secret.of(key));
    for (const key of keys) buffer.press(key, kind);
    return keys;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { buffer, reader, press, pass, notes, kinds, read: () => read.join('') };
}

/** Its conversation has started. */
function talking(sdp = WITH_EVENTS) {
  const stage = ringing(sdp);
  const media = detector();
  stage.buffer.connect(stage.reader);
  stage.buffer.useMedia(media, sdp);
  stage.buffer.release();
  return { ...stage, media };
}

function detector() {
  const media = {
    listens: false,
    detectTones: () => {
      media.listens = true;
    },
    ignoreTones: () => {
      media.listens = false;
    },
  };
  return media;
}

const lengths = (keys: readonly Secret[]) => keys.map(({ length }) => length);

describe('a key buffer', () => {
  it('holds the keys of all kinds from before the conversation, in order', () => {
    const { buffer, reader, press, read, notes, kinds } = ringing();
    press('42', 'sip_info');
    buffer.connect(reader);
    press('4', 'sip_info');
    expect(read()).toBe('');
    buffer.release();
    press('2', 'sip_info');
    expect(read()).toBe('4242');
    expect([notes, kinds]).toEqual([['keys by SIP INFO'], ['info']]);
  });

  it('drops the same press by another kind while it holds, too', () => {
    const { buffer, reader, press, read } = ringing();
    press('4', 'sip_info');
    expect(lengths(press('4'))).toEqual([0]);
    buffer.connect(reader);
    buffer.release();
    expect(read()).toBe('4');
  });

  it('passes each key on at once when it is open', () => {
    const { press, read } = talking();
    press('4');
    expect(read()).toBe('4');
    press('*#');
    expect(read()).toBe('4*#');
  });

  it('holds the rest when a held key makes the reader wait, as the choice of a merchant does', () => {
    const { buffer, reader, press, read } = ringing();
    press('1424');
    const choosing = {
      ...reader,
      onKey: (key: Secret) => {
        reader.onKey(key);
        if (read() === '1') buffer.hold();
      },
    };
    buffer.connect(choosing);
    buffer.release();
    expect(read()).toBe('1');
    press('2');
    expect(read()).toBe('1');
    buffer.release();
    expect(read()).toBe('14242');
  });

  it('holds at most 64 keys and wipes the others', () => {
    const { buffer, press, read } = talking();
    buffer.hold();
    const keys = press('4'.repeat(100));
    expect(keys.filter(({ length }) => length > 0)).toHaveLength(64);
    buffer.release();
    expect(read()).toBe('4'.repeat(64));
  });

  it.each(['before the conversation', 'while it holds', 'when it is open'])('wipes every key if closed %s', (when) => {
    const { buffer, press, read } = when === 'before the conversation' ? ringing() : talking();
    if (when === 'while it holds') buffer.hold();
    const held = when === 'when it is open' ? [] : press('42');
    buffer.close();
    buffer.release();
    buffer.hold();
    expect(lengths([...held, ...press('42')])).toEqual([...held.map(() => 0), 0, 0]);
    expect(read()).toBe('');
  });

  it.each<[KeyKind, KeyKind]>([
    ['telephone_event', 'sound'],
    ['sip_info', 'sound'],
    ['telephone_event', 'sip_info'],
  ])('takes only %s keys if one came first, and wipes %s keys', (first, later) => {
    const { press, read, notes } = talking();
    const again = [...'4242'].flatMap((key) => {
      press(key, first);
      return press(key, later);
    });
    expect(read()).toBe('4242');
    expect(lengths(again)).toEqual([0, 0, 0, 0]);
    expect(notes).toHaveLength(1);
  });

  it('reports the kind of the keys once', () => {
    const { press, notes, kinds } = talking(WITHOUT_EVENTS);
    press('42', 'sound');
    expect([notes, kinds]).toEqual([['keys by sound'], ['inband']]);
  });

  it('takes tones from a phone without events that takes over the call', () => {
    const { buffer, media, press, read, notes, kinds } = talking();
    press('4');
    buffer.describe(WITHOUT_EVENTS);
    expect(media.listens).toBe(true);
    press('2', 'sound');
    press('9');
    expect(read()).toBe('42');
    expect(notes).toEqual(['keys by telephone-event', 'keys by sound']);
    expect(kinds).toEqual(['telephone-event', 'inband']);
  });
});

describe('a key buffer that another phone may follow', () => {
  const PAUSE_MS = 1_500;

  it.each<[KeyKind, KeyKind]>([
    ['sound', 'telephone_event'],
    ['telephone_event', 'sound'],
    ['sip_info', 'telephone_event'],
  ])('takes %s keys, then, after a pause, %s keys', (first, later) => {
    const { buffer, press, pass, read, notes } = talking();
    press('11223344', first);
    buffer.expectAnotherPhone();
    pass(PAUSE_MS);
    press('4242', later);
    press('9', first);
    expect(read()).toBe('112233444242');
    expect(notes).toHaveLength(2);
  });

  it('listens for tones again', () => {
    const { buffer, press, media } = talking();
    press('11223344');
    expect(media.listens).toBe(false);
    buffer.expectAnotherPhone();
    expect(media.listens).toBe(true);
  });

  it('drops the late tone of the last key before it', () => {
    const { buffer, press, pass, read } = talking();
    press('11223344');
    buffer.expectAnotherPhone();
    pass(100);
    press('4', 'sound');
    pass(PAUSE_MS);
    press('42');
    expect(read()).toBe('1122334442');
  });

  it('keeps the kind that the next phone uses first, and stops listening for tones', () => {
    const { buffer, press, pass, read, media } = talking();
    press('11223344');
    buffer.expectAnotherPhone();
    pass(PAUSE_MS);
    press('4');
    expect(media.listens).toBe(false);
    pass(PAUSE_MS);
    press('9', 'sound');
    press('2');
    expect(read()).toBe('1122334442');
  });

  it('counts a press once that the next phone sends as a tone and as an event', () => {
    const { buffer, press, pass, read } = talking();
    press('11223344', 'sound');
    buffer.expectAnotherPhone();
    pass(PAUSE_MS);
    for (const key of '4242') {
      press(key, 'sound');
      press(key);
    }
    expect(read()).toBe('112233444242');
  });
});

describe('tones in the sound', () => {
  it.each([
    ['offers events', WITH_EVENTS],
    ['offers no events', WITHOUT_EVENTS],
  ])('are detected from the start on each media leg if the phone %s', (_phone, sdp) => {
    const { buffer, media, press, read } = talking(sdp);
    expect(media.listens).toBe(true);
    const moved = detector();
    buffer.useMedia(moved, sdp);
    expect(moved.listens).toBe(true);
    press('42424242', 'sound');
    expect(read()).toBe('42424242');
  });

  it.each<KeyKind>(['telephone_event', 'sip_info'])('are ignored after a %s key', (kind) => {
    const { buffer, media, press } = talking();
    press('4', kind);
    expect(media.listens).toBe(false);
    buffer.describe(WITH_EVENTS);
    expect(media.listens).toBe(false);
    const moved = detector();
    buffer.useMedia(moved, WITH_EVENTS);
    expect(moved.listens).toBe(false);
  });

  it('are not detected at all after an early key of another kind', () => {
    const { buffer, press } = ringing();
    press('4');
    const media = detector();
    buffer.useMedia(media, WITH_EVENTS);
    expect(media.listens).toBe(false);
  });

  it.each<KeyKind>(['telephone_event', 'sip_info'])('count once if each is followed by its %s key', (kind) => {
    const { press, read, notes, kinds } = talking();
    for (const key of '4422') {
      press(key, 'sound');
      press(key, kind);
    }
    expect(read()).toBe('4422');
    expect(notes).toHaveLength(2);
    expect(kinds.at(-1)).toBe(kind === 'sip_info' ? 'info' : 'telephone-event');
  });

  it('count once if two are heard before their events', () => {
    const { press, read } = talking();
    press('42', 'sound');
    press('42');
    press('2', 'sound');
    press('2');
    expect(read()).toBe('422');
  });

  it('do not lock out later events when a voice was mistaken for a key', () => {
    const { press, read, pass } = talking();
    press('9', 'sound');
    pass(6_000);
    press('9424');
    expect(read()).toBe('99424');
  });

  it('are the only kind for the whole call after four without an event', () => {
    const { press, read } = talking();
    press('4242', 'sound');
    press('9');
    press('1', 'sound');
    expect(read()).toBe('42421');
  });

  it('leave no copy when the call ends', () => {
    const { buffer, press, read } = talking();
    const copies: Secret[] = [];
    const copy = vi.spyOn(Secret.prototype, 'copy').mockImplementation(function (this: Secret) {
      const made = Secret.of(this.reveal((text) => text));
      copies.push(made);
      return made;
    });
    press('42', 'sound');
    copy.mockRestore();
    expect(lengths(copies)).toEqual([1, 1]);
    buffer.close();
    expect(lengths(copies)).toEqual([0, 0]);
    expect(read()).toBe('42');
  });
});
