/**
 * npm packages of vendors. They are large, and most services use none of them, so package.json has them as optional
 * peers: a clone and the Docker image contain them, and a service that was installed with npm gets them by a command.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type VendorPackage = '@aws-sdk/client-polly' | 'openai' | 'square';

/** Peers that a package needs, too. */
const WITH: Partial<Record<VendorPackage, readonly string[]>> = {
  '@aws-sdk/client-polly': ['@smithy/node-http-handler'],
};

/** @returns what to do if the package is not installed, otherwise null */
export function missingPackage(name: VendorPackage, from: string = import.meta.url): string | null {
  const { resolve } = createRequire(from);
  try {
    resolve(name);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    const words = [name, ...(WITH[name] ?? [])].map((each) => `${each}@${versionOf(each)}`);
    return `The npm package ${name} is not installed. Install it beside Ringkey: npm install ${words.join(' ')}`;
  }
}

/** As package.json has it. */
function versionOf(name: string): string {
  const file = new URL('../../package.json', import.meta.url);
  const { peerDependencies } = JSON.parse(readFileSync(file, 'utf8')) as { peerDependencies: Record<string, string> };
  return peerDependencies[name] ?? 'latest';
}
