import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Digit, DTMF_KEYS, DtmfReceiver } from './dtmf-receiver.ts';
import { DtmfSender } from './dtmf-sender.ts';

interface Packet {
  ssrc: number;
  timestamp: number;
  payload: Buffer;
  marker?: boolean;
  /** When the packet is sent; it arrives at the same time unless the network delays it. */
  atMs: number;
}

const event = (timestamp: number, code: number, durationSamples: number, end = false, atMs = 0): Packet => {
  const payload = Buffer.from([code, end ? 0x8a : 0x0a, 0, 0]);
  payload.writeUInt16BE(durationSamples, 2);
  return { ssrc: 1, timestamp: timestamp >>> 0, payload, atMs };
};

/** A phone's packets for these keys: an update every 20 ms and the end three times. */
function press(keys: string, { toneMs, gapMs, start }: { toneMs: number; gapMs: number; start: number }): Packet[][] {
  const sender = new DtmfSender();
  sender.send(keys, { toneMs, gapMs });
  const presses: Packet[][] = [];
  let lastStart = 0;
  for (let tick = 0; sender.busy; tick++) {
    for (const { marker, payload, ticksSinceStart } of sender.next()) {
      if (marker && ticksSinceStart === 0 && lastStart !== tick + 1) {
        lastStart = tick + 1;
        presses.push([]);
      }
      const timestamp = (start + (tick - ticksSinceStart) * 160) >>> 0;
      presses.at(-1)?.push({ ssrc: 1, timestamp, payload, marker, atMs: tick * 20 });
    }
  }
  return presses;
}

/** Delivers packets at their times, and lets time pass after the last. */
function receive(packets: readonly Packet[]): Digit[] {
  const digits: Digit[] = [];
  const receiver = new DtmfReceiver((digit) => digits.push(digit));
  let nowMs = 0;
  const passTo = (ms: number): void => {
    for (; nowMs < ms; nowMs += 20) receiver.poll(nowMs);
  };
  for (const packet of packets) {
    passTo(packet.atMs);
    receiver.receive(packet, packet.atMs);
  }
  passTo(nowMs + 1000);
  return digits;
}

const keysOf = (digits: Digit[]): string => digits.map(({ key }) => key).join('');

describe('the telephone-event receiver', () => {
  it('reads one key from its start, updates and three ends', () => {
    const packets = [
      event(0, 5, 160),
      event(0, 5, 320, false, 20),
      ...[40, 40, 40].map((ms) => event(0, 5, 480, true, ms)),
    ];
    expect(receive(packets)).toEqual([{ key: '5', durationSamples: 480 }]);
  });

  it('reports the same key pressed twice as two keys', () => {
    expect(keysOf(receive([event(0, 1, 800, true), event(1600, 1, 800, true, 200)]))).toBe('11');
  });

  it('needs only one packet: the end alone, or the start alone', () => {
    expect(keysOf(receive([event(0, 9, 800, true)]))).toBe('9');
    expect(keysOf(receive([event(0, 9, 0)]))).toBe('9');
  });

  it('ends a press when the next one starts, without waiting', () => {
    const digits: Digit[] = [];
    const receiver = new DtmfReceiver((digit) => digits.push(digit));
    receiver.receive(event(0, 1, 160), 0);
    receiver.receive(event(1600, 2, 160), 100);
    expect(keysOf(digits)).toBe('1');
  });

  it('does not report a late end as a new key', () => {
    const late = event(0, 1, 800, true, 900);
    expect(keysOf(receive([event(0, 1, 160), event(1600, 2, 800, true, 200), late]))).toBe('12');
  });

  it('holds a key as long as updates arrive', () => {
    const updates = Array.from({ length: 300 }, (_, n) => event(0, 3, Math.min(0xffff, (n + 1) * 400), false, n * 50));
    expect(receive([...updates, event(0, 3, 0xffff, true, 15_000)])).toHaveLength(1);
  });

  it('continues a press that the sender splits into segments (RFC 4733, 2.5.1.3)', () => {
    const first = Array.from({ length: 400 }, (_, n) => event(0, 7, Math.min(0xffff, (n + 1) * 164), false, n * 20));
    const second = [event(0xffff, 7, 160, false, 8020), event(0xffff, 7, 1600, true, 8100)];
    expect(receive([...first, ...second])).toEqual([{ key: '7', durationSamples: 0xffff + 1600 }]);
  });

  it('reports one key if the timestamp advances during a press and its ends', () => {
    const running = (from: number, code: number, at: number) => [
      ...[0, 1, 2, 3].map((n) => event(from + n * 160, code, (n + 1) * 160, false, at + n * 20)),
      ...[4, 5, 6].map((n) => event(from + n * 160, code, 800, true, at + n * 20)),
    ];
    expect(keysOf(receive([...running(0xffffff00, 5, 0), ...running(0x500, 5, 200), ...running(0xb00, 6, 400)]))).toBe(
      '556',
    );
    const lossy = running(0, 5, 0).filter((_, n) => n !== 1 && n !== 4);
    expect(receive(lossy)).toEqual([{ key: '5', durationSamples: 800 }]);
  });

  it('reports two presses of one key even if the sender counts too little time between them', () => {
    const short = (from: number, at: number) => [
      event(from, 10, 160, false, at),
      ...[0, 1, 2].map(() => event(from, 10, 1600, true, at + 200)),
    ];
    expect(keysOf(receive([...short(24_000, 0), ...short(24_400, 400), ...short(24_800, 800)]))).toBe('***');
  });

  it.each([
    [20, 20],
    [20, 40],
    [40, 20],
    [40, 0],
  ])('reports every press of a repeated key that is held for %i ms with gaps of %i ms', (toneMs, gapMs) => {
    const packets = press('4444*', { toneMs, gapMs, start: 0xffffff00 });
    expect(keysOf(receive(packets.flat()))).toBe('4444*');
    // Once the sender's timestamps are known, the first packet or all ends but one may be lost.
    const [first = [], ...others] = packets;
    expect(keysOf(receive([...first, ...others.flatMap((sent) => sent.slice(1))]))).toBe('4444*');
    expect(keysOf(receive([...first, ...others.flatMap((sent) => sent.slice(0, -2))]))).toBe('4444*');
  });

  it('recognizes an advancing timestamp even after a press with one timestamp', () => {
    const steady = [event(0, 5, 160), event(0, 5, 320, true, 20)];
    const running = [0, 1, 2].map((n) => event(1_600 + n * 160, 5, (n + 1) * 160, false, 200 + n * 20));
    expect(keysOf(receive([...steady, ...running, event(2_080, 5, 640, true, 260)]))).toBe('55');
  });

  it('reads events with a clock rate of 48 kHz', () => {
    const digits: Digit[] = [];
    const receiver = new DtmfReceiver((digit) => digits.push(digit));
    for (const [timestamp, duration, end] of [
      [0, 960, false],
      [0, 4800, true],
      [0, 4800, true],
      [9600, 4800, true],
    ] as const) {
      receiver.receive(event(timestamp, 5, duration, end), 0, 48_000);
    }
    expect(digits).toEqual([5, 5].map((key) => ({ key: String(key), durationSamples: 800 })));
  });

  it('ignores events above 15 and payloads that are too short', () => {
    expect(receive([event(0, 16, 800, true), { ...event(9, 1, 0), payload: Buffer.from([1, 0x80, 0]) }])).toEqual([]);
  });

  it('starts again with another source', () => {
    expect(keysOf(receive([event(0, 1, 800, true), { ...event(0, 1, 800, true, 300), ssrc: 2 }]))).toBe('11');
  });

  it('reports every key once and in order if packets of a press are lost, duplicated or delayed', () => {
    const network = fc.record({
      keys: fc.string({ unit: fc.constantFrom(...DTMF_KEYS), minLength: 1, maxLength: 20 }),
      toneMs: fc.integer({ min: 40, max: 400 }),
      gapMs: fc.integer({ min: 40, max: 300 }),
      start: fc.integer({ min: 0, max: 0xffffffff }),
      seed: fc.infiniteStream(fc.nat(99)),
    });
    const delivered = ({
      keys,
      toneMs,
      gapMs,
      start,
      seed,
    }: { seed: Iterator<number> } & Parameters<typeof press>[1] & { keys: string }) =>
      press(keys, { toneMs, gapMs, start }).flatMap((packets) => {
        const dice = packets.map(() => seed.next().value as number);
        // Any packets of a press may be lost, except all of them.
        const alwaysReceived = (dice[0] ?? 0) % packets.length;
        const received = packets.filter((_, index) => index === alwaysReceived || (dice[index] ?? 0) < 50);
        const doubled = received.flatMap((packet, index) =>
          (dice[index] ?? 0) % 3 === 0 ? [packet, packet] : [packet],
        );
        const times = doubled.map(({ atMs }) => atMs);
        const shuffled = doubled.map((packet, index) => ({ packet, at: (dice[index] ?? 0) * 100 + index }));
        return shuffled
          .sort((a, b) => a.at - b.at)
          .map(({ packet }, index) => ({ ...packet, atMs: times[index] ?? 0 }));
      });
    fc.assert(
      fc.property(network, (sent) => {
        expect(keysOf(receive(delivered(sent)))).toBe(sent.keys);
      }),
      { numRuns: 500 },
    );
  });

  it('neither loses nor adds a key if packets of two presses are reordered', () => {
    const overtaking = fc.record({
      keys: fc.string({ unit: fc.constantFrom(...DTMF_KEYS), minLength: 2, maxLength: 20 }),
      swaps: fc.array(fc.nat(), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(overtaking, ({ keys, swaps }) => {
        const packets = press(keys, { toneMs: 60, gapMs: 40, start: 0xfffff000 }).flat();
        for (const swap of swaps) {
          const at = swap % (packets.length - 1);
          const [one, two] = [packets[at] as Packet, packets[at + 1] as Packet];
          packets.splice(at, 2, { ...two, atMs: one.atMs }, { ...one, atMs: two.atMs });
        }
        expect([...keysOf(receive(packets))].sort()).toEqual([...keys].sort());
      }),
      { numRuns: 500 },
    );
  });
});

describe('the telephone-event sender', () => {
  it('marks the first packet, increases the duration and repeats the end', () => {
    const sender = new DtmfSender();
    let done = false;
    sender.send('#', { toneMs: 60, gapMs: 40 }, () => {
      done = true;
    });
    const ticks = Array.from({ length: 5 }, () => sender.next());
    expect(ticks.map((packets) => packets.length)).toEqual([1, 1, 3, 0, 0]);
    expect(ticks[0]?.[0]).toEqual({ marker: true, ticksSinceStart: 0, payload: Buffer.from([11, 10, 0, 160]) });
    expect(ticks[2]?.[2]).toEqual({ marker: false, ticksSinceStart: 2, payload: Buffer.from([11, 0x8a, 1, 224]) });
    expect(done).toBe(true);
  });

  it('sends the next key in time after a stall during the silence, and sends a tone in full after a stall', () => {
    const sender = new DtmfSender();
    sender.send('12', { toneMs: 40, gapMs: 2_000 });
    const stalls = [0, 90, 30, 69, 0];
    const keys = stalls.map((skipped) => sender.next(skipped).map(({ payload }) => payload[0]));
    expect(keys).toEqual([[1], [1, 1, 1], [], [], [2]]);
  });

  it('limits its queue', () => {
    const sender = new DtmfSender();
    expect(() => sender.send('1'.repeat(1000), { toneMs: 60, gapMs: 40 })).toThrow(RangeError);
    expect(sender.busy).toBe(false);
  });
});
