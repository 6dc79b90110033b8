import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tolerateFailedByes } from './bye-failures.ts';

const unheard = vi.fn();
beforeEach(() => void process.on('unhandledRejection', unheard));
afterEach(() => void process.off('unhandledRejection', unheard));

test('a failed BYE is no unhandled rejection, but rejects for a caller that awaits it', async () => {
  const dialog = {
    id: 'd',
    async destroy() {
      throw new Error(`unable to find dialog ${this.id}`);
    },
  };
  const srf = {
    dialogs: [dialog],
    async createUAC(_uri: string, _options: object) {
      return this.dialogs[0];
    },
  };
  const dialed = await (tolerateFailedByes(srf) as typeof srf).createUAC('sip:drachtio@127.0.0.1', {});
  void dialed?.destroy();
  await expect(dialed?.destroy()).rejects.toThrow('unable to find dialog d');
  await setImmediate();
  expect(unheard).not.toHaveBeenCalled();
});
