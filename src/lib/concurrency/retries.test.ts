import { describe, expect, it } from 'vitest';
import { withRetries } from './retries.ts';

describe('withRetries', () => {
  it('tries again until it works', async () => {
    let tries = 0;
    const step = async () => {
      tries += 1;
      if (tries < 3) throw new Error('away');
      return tries;
    };
    expect(await withRetries(5_000, () => true, step)).toBe(3);
  });

  it('does not try again what is no use', async () => {
    let tries = 0;
    const step = async () => {
      tries += 1;
      throw new Error('bug');
    };
    await expect(withRetries(5_000, () => false, step)).rejects.toThrow('bug');
    expect(tries).toBe(1);
  });

  it('gives up with the last error when its time is over', async () => {
    let tries = 0;
    const step = async () => {
      tries += 1;
      throw new Error(`away ${tries}`);
    };
    const failed = await withRetries(1_000, () => true, step).catch((error: Error) => error.message);
    expect(tries).toBeGreaterThan(1);
    expect(failed).toBe(`away ${tries}`);
  });
});
