/** The part of the build that is not TypeScript: files that the compiled program reads beside itself. */
import { cpSync, rmSync } from 'node:fs';

const root = new URL('../../../../', import.meta.url);
const FOLDERS = [
  'db/migrations',
  'http/dashboard/styles',
  'http/docs/pages',
  // For `ringkey demo`.
  'local/standalone/setup',
];

for (const folder of FOLDERS) {
  const target = new URL(`dist/${folder}/`, root);
  // A renamed migration must not live on.
  rmSync(target, { recursive: true, force: true });
  cpSync(new URL(`src/${folder}/`, root), target, { recursive: true });
}
