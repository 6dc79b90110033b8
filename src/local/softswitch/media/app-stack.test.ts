import { describe, expect, it } from 'vitest';
import { AppStack, type Frame, type Interruption, type WaitLoop } from './app-stack.ts';

/** A stack that records everything. Its `wait …` applications run until `end` is called, the others end at once. */
function recording(): { stack: AppStack; log: string[]; end(name: string): Promise<void>; errors: unknown[] } {
  const log: string[] = [];
  const errors: unknown[] = [];
  const ends = new Map<string, () => void>();
  const refuse: Record<string, Interruption[]> = { socket: ['break'] };
  const loopOf = (name: string): WaitLoop => ({
    suspend: () => log.push(`${name} suspended`),
    resume: () => log.push(`${name} resumed`),
    digit: (key) => log.push(`${name} got ${key}`),
    interrupt: (why) => {
      if (refuse[name]?.includes(why)) return false;
      ends.get(name)?.();
      return true;
    },
  });
  const run = (frame: Frame): Promise<void> | undefined => {
    if (frame.app === 'fail') return Promise.reject(new Error('a bug'));
    if (frame.app === 'instant') return undefined;
    return new Promise((resolve) => {
      ends.set(frame.app, resolve);
      if (frame.data !== 'not yet') frame.wait(loopOf(frame.app));
    });
  };
  const stack = new AppStack({
    run,
    start: ({ app }) => log.push(`${app} begins`),
    complete: ({ app }) => log.push(`${app} ends`),
    failed: (error) => errors.push(error),
  });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { stack, log, end, errors };
}

const push = (stack: AppStack, ...apps: string[]): boolean[] => apps.map((app) => stack.push({ app, data: '' }));

describe('the application stack of a channel', () => {
  it('runs a command inside the waiting application, which pauses until the command is done', async () => {
    const { stack, log, end } = recording();
    push(stack, 'playback', 'instant', 'sleep');
    expect(log).toEqual([
      'playback begins',
      'playback suspended',
      'instant begins',
      'instant ends',
      'playback resumed',
      'playback suspended',
      'sleep begins',
    ]);
    await end('sleep');
    expect(log.slice(-2)).toEqual(['sleep ends', 'playback resumed']);
  });

  it('queues a command until the one before it waits', () => {
    const { stack, log } = recording();
    stack.push({ app: 'loading', data: 'not yet' });
    push(stack, 'instant');
    expect(log).toEqual(['loading begins']);
  });

  it('interrupts from the innermost application outwards, up to one that ignores it', async () => {
    const { stack, log } = recording();
    push(stack, 'socket', 'playback', 'sleep');
    log.length = 0;
    stack.interruptAll('break');
    await new Promise(setImmediate);
    expect(log).toEqual(['sleep ends', 'playback ends', 'socket resumed']);
    stack.interruptAll('hangup');
    await stack.idle();
    expect(log.at(-1)).toBe('socket ends');
  });

  it('runs queued commands after an interruption, unless they are dropped', async () => {
    for (const [drop, expected] of [
      [false, ['loading begins', 'loading ends', 'instant begins', 'instant ends']],
      [true, ['loading begins', 'loading ends']],
    ] as const) {
      const { stack, log, end } = recording();
      stack.push({ app: 'loading', data: 'not yet' });
      push(stack, 'instant');
      stack.interruptAll('break', drop);
      await end('loading');
      expect(log).toEqual(expected);
    }
  });

  it('passes keys to the innermost application', () => {
    const { stack, log } = recording();
    push(stack, 'socket', 'playback');
    stack.digit('5');
    expect(log.at(-1)).toBe('playback got 5');
  });

  it('continues after a bug in an application, and reports it', async () => {
    const { stack, log, errors } = recording();
    push(stack, 'fail');
    await stack.idle();
    push(stack, 'instant');
    expect(errors).toHaveLength(1);
    expect(log.at(-1)).toBe('instant ends');
  });

  it('limits its queue, and accepts no command after it is closed', () => {
    const { stack } = recording();
    stack.push({ app: 'loading', data: 'not yet' });
    const taken = push(stack, ...Array(1000).fill('instant')).filter(Boolean);
    expect(taken.length).toBeLessThan(1000);
    stack.close();
    expect(push(stack, 'instant')).toEqual([false]);
  });
});
