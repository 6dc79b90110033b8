/**
 * Writes npm-shrinkwrap.json before `npm pack`, and removes it afterwards. npm never publishes package-lock.json, and
 * with this file users get the versions that were tested. It has no packages of development, which npm would install.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { inClone } from './run.mjs';

const file = inClone('npm-shrinkwrap.json');

if (process.argv[2] === 'remove') rmSync(file, { force: true });
else writeFileSync(file, JSON.stringify(withoutDevelopment(), null, 2));

function withoutDevelopment() {
  const lock = JSON.parse(readFileSync(inClone('package-lock.json'), 'utf8'));
  const { devDependencies: _, ...root } = lock.packages[''];
  const entries = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  return { ...lock, packages: { ...Object.fromEntries(entries), '': root } };
}
