/** The part of the build that is not TypeScript: files that the compiled program reads beside itself. */
import { cpSync, readdirSync, rmSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

for (const folder of ['db/migrations/']) {
  const source = new URL(`src/${folder}`, root);
  const target = new URL(`dist/${folder}`, root);
  cpSync(source, target, { recursive: true });
  // A renamed migration must not live on.
  const names = new Set(readdirSync(source));
  for (const name of readdirSync(target)) if (!names.has(name)) rmSync(new URL(name, target));
}
