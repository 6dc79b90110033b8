/**
 * Type declarations of the voice platforms' npm packages, to check the code on the platforms' pages with. The packages
 * have 300 MB and are needed nowhere else, so they are no dependencies: npm downloads them into its cache, and only the
 * declarations are unpacked.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface VendorPackage {
  version: string;
  /** SHA-512 of the package, as npm's lock files have it. */
  integrity: string;
  /** The module that code imports, without `.d.ts`. */
  entry: string;
  /** Which declarations are unpacked, as `tar` takes patterns. A missing declaration is `any` for the others. */
  files: string;
}

const PACKAGES: Readonly<Record<string, VendorPackage>> = {
  '@anthropic-ai/sdk': {
    version: '1.14.0',
    integrity: 'sha512-nADYXUd5fn9Zgw2nHi1iKyt/kb1UUt1cN3RbdxEI6XjTDTxbx4LLG4GnMrxWyS9GgXQllFOyAKSiFM3joDNK9A==',
    entry: 'resources/messages/messages',
    files: 'package/resources/messages/*.d.ts',
  },
  // The types of its REST API in JSON, which has other names than its own client.
  '@elevenlabs/elevenlabs-js': {
    version: '2.73.0',
    integrity: 'sha512-ZV/SF2k0w6rzv2hkymn+ZPHtBkVBcU/3NDg8peppAyizlss7BNl2PtKJKnz/1KSfRU493lcOnWt6r+n9R/RHEw==',
    entry: 'serialization/types/ToolRequestModel',
    files: 'package/serialization/types/*.d.ts',
  },
  '@jambonz/sdk': {
    version: '0.10.1',
    integrity: 'sha512-102TfD2lK/pTEAEWn33rl6NjEiUfdfVazWj8aiy5ojLNZ/N9oCgY/CQ1ga6ssH3WKIvziTMFpkDQIEH0Wu4oaw==',
    entry: 'dist/index',
    files: 'package/dist/*.d.ts',
  },
  // Has the types of the whole server API in one file.
  '@vapi-ai/web': {
    version: '2.7.1',
    integrity: 'sha512-074wXF2NdljXWv6rw0VQyIamMS8u5qsBejJBOLrcd9mT9z9xbQbd8Zu5CKe2UXdsxYpCzDYopsISE2EnwvaKSA==',
    entry: 'dist/api',
    files: 'package/dist/api.d.ts',
  },
  'livekit-server-sdk': {
    version: '2.19.2',
    integrity: 'sha512-aNb7iZOdMYWjg3X227GO9i/jWsqR6uiUa2le3T0JOaK+FwE3bMx+bEhHVoSioMFL4LQ4xk4ztz1H8TKxIPjq1w==',
    entry: 'dist/index',
    files: 'package/dist/*.d.ts',
  },
  openai: {
    version: '7.57.0',
    integrity: 'sha512-RbmrdE5NdfW6nGq/FaCJ3KFCZpotoExPzruQUSMCTw/ouUFO08vpvVdSmgmPxQMFAiv9EXZCEXvcWYU+n6NzsQ==',
    entry: 'index',
    files: 'package/*.d.ts',
  },
  'retell-sdk': {
    version: '5.66.1',
    integrity: 'sha512-UyY8rACt/M/WdKGr514jI9QTkUWveiehPT6mk4cN3af7AmmgzAsGXTTdcbdcs8WEFLWkQRvGVgKMegFLinVNCw==',
    entry: 'index',
    files: 'package/*.d.ts',
  },
  telnyx: {
    version: '7.24.0',
    integrity: 'sha512-b52ZDh8VWxMRGGsuCsvzkwGO8AQCnL6vsCjOi1xr1izuNj88hFic87XVWLp/Za3aj1kaOt44YUtM0u5neuSSZA==',
    entry: 'index',
    files: 'package/*.d.ts',
  },
  twilio: {
    version: '6.2.0',
    integrity: 'sha512-zuwVhRa8gGIvaTjXIkRNcf7cPPQCeghMukMcG9WnhWmm7SLnregVpdIoYOSrOvlqMUYf6xP9A2ivsJNf6URoSg==',
    entry: 'lib/twiml/VoiceResponse',
    files: 'package/lib/twiml/*.d.ts',
  },
};

const ROOT = new URL('../../', import.meta.url).pathname;

/** Unpacks the declarations of all packages into `folder`. @throws Error if a package is not the recorded one */
export function unpackVendorTypes(folder: string): void {
  const names = Object.entries(PACKAGES).map(([name, { version }]) => `${name}@${version}`);
  const options = ['--silent', '--prefer-offline', '--pack-destination', folder];
  execFileSync('npm', ['pack', ...options, ...names], { cwd: folder, stdio: 'pipe' });
  for (const [name, { version, integrity, files }] of Object.entries(PACKAGES)) {
    const archive = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (integrity !== `sha512-${hash}`) throw new Error(`${name}@${version} is not the recorded package: ${hash}.`);
    const to = join(folder, name);
    mkdirSync(to, { recursive: true });
    execFileSync('tar', ['-xzf', archive, '-C', to, '--strip-components=1', '--wildcards', files], { stdio: 'pipe' });
  }
}

/**
 * Checks modules that import the packages of {@link unpackVendorTypes}.
 * @param folder of the declarations
 * @param modules source text by name
 * @returns the compiler's errors by name
 */
export function checkTypes(folder: string, modules: Readonly<Record<string, string>>): Map<string, string[]> {
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, `${name}.ts`), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const paths = Object.entries(PACKAGES).map(([name, { entry }]) => [name, [`./${name}/${entry}.d.ts`]]);
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    // The pages' code is JavaScript.
    noImplicitAny: false,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    paths: Object.fromEntries(paths),
  };
  const files = Object.keys(modules).map((name) => `${name}.ts`);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const errors = new Map(Object.keys(modules).map((name): [string, string[]] => [name, []]));
  for (const line of compile(folder)
    .split('\n')
    .filter((each) => each !== '' && !each.startsWith(' '))) {
    const [, name = '', message = ''] = /^([\w-]+)\.ts\(\d+,\d+\): error (.+)/.exec(line) ?? [];
    const found = errors.get(name);
    if (found === undefined) throw new Error(line);
    found.push(message);
  }
  return errors;
}

function compile(folder: string): string {
  try {
    return execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
