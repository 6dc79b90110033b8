import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { missingPackage } from './vendor-packages.ts';

test('a clone has the packages of all vendors', () => {
  expect([missingPackage('square'), missingPackage('openai'), missingPackage('@aws-sdk/client-polly')]).toEqual([
    null,
    null,
    null,
  ]);
});

test('says how to install a package that is not there, with what it needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringkey-packages-'));
  const from = pathToFileURL(join(folder, 'index.js')).href;
  expect(missingPackage('square', from)).toMatch(/: npm install square@\^\d+\.\d+\.\d+$/);
  expect(missingPackage('@aws-sdk/client-polly', from)).toMatch(
    /: npm install @aws-sdk\/client-polly@\S+ @smithy\/node-http-handler@\S+$/,
  );
  rmSync(folder, { recursive: true });
});
