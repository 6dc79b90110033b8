/** Speech fails: no synthesizer, or no space for its audio. A caller never hears silence. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RECORDED } from '../../support/test-caller.ts';
import { payByPhone, withProduct } from './fault-harness.ts';

/** Minimum sound in a complete payment. */
const ENOUGH_MS = 3_000;

export function speechFaults(): void {
  describe.concurrent('without a voice', () => {
    test.each([
      ['because RINGKEY_SYNTHESIZER is none', {}],
      ['because espeak-ng is not there', { RINGKEY_SYNTHESIZER: 'espeak-ng', PATH: '/nowhere' }],
    ])('%s plays recordings, and the card is paid', (_why, settings) =>
      withProduct(settings, async ({ newCaller }) => {
        const caller = await newCaller();
        await payByPhone(caller);
        expect(caller.heard.some((text) => text.endsWith(RECORDED))).toBe(true);
        expect(caller.audibleMs).toBeGreaterThan(ENOUGH_MS);
      }),
    );

    test('from a synthesizer that does not answer uses espeak-ng, and the card is paid', () => {
      const settings = { RINGKEY_SYNTHESIZER: 'openai', RINGKEY_TTS_URL: 'http://127.0.0.1:9/v1' };
      return withProduct(settings, async ({ newCaller }) => {
        const caller = await newCaller();
        await payByPhone(caller);
        expect(caller.audibleMs).toBeGreaterThan(ENOUGH_MS);
        expect(caller.heard.some((text) => !text.endsWith(RECORDED))).toBe(true);
      });
    });

    test.each([
      ['is full', fullDisk],
      ['cannot be made', impossibleFolder],
    ])('in a cache that %s still speaks on the call', async (_why, makeFolder) => {
      const { folder, remove } = makeFolder();
      try {
        await withProduct({ RINGKEY_SYNTHESIZER: 'espeak-ng', RINGKEY_MEDIA_DIR: folder }, async ({ newCaller }) => {
          const caller = await newCaller();
          await payByPhone(caller);
          expect(caller.audibleMs).toBeGreaterThan(ENOUGH_MS);
        });
      } finally {
        remove();
      }
    });
  });
}

interface Folder {
  folder: string;
  remove: () => void;
}

/**
 * A disk of 16 KiB, enough for one second of speech; without permission to mount one, a folder that cannot be created.
 */
function fullDisk(): Folder {
  const folder = mkdtempSync(join(tmpdir(), 'ringkey-full-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    removeFolder();
    return impossibleFolder();
  }
  return {
    folder,
    remove() {
      execFileSync('umount', [folder]);
      removeFolder();
    },
  };
}

/** A path below a file, where not even root can write. */
function impossibleFolder(): Folder {
  const parent = mkdtempSync(join(tmpdir(), 'ringkey-file-'));
  writeFileSync(join(parent, 'file'), '');
  return { folder: join(parent, 'file', 'speech'), remove: () => rmSync(parent, { recursive: true, force: true }) };
}
