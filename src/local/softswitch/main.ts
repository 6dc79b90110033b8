/**
 * The softswitch process: the signalling half and the media half, which talk only SIP to each other.
 *
 * If forked, it reads its options from the first IPC message, answers over the same channel and ends with its parent.
 * To debug it alone, run `node dist/local/softswitch/main.js '<options as JSON>'`: the answer goes to stdout.
 */
import { pino } from 'pino';
import { startMedia } from './media/index.ts';
import type { SoftswitchAnswer, SoftswitchFailed, SoftswitchOptions, SoftswitchReady } from './options.ts';
import { startSignalling } from './signalling/index.ts';

const CLOSE_LIMIT_MS = 3_000;
const OPTIONS_LIMIT_MS = 10_000;

interface Softswitch {
  answer: SoftswitchReady;
  close(): Promise<void>;
}

/** Why a half did not start: the invalid option, or the system's error with the port. */
interface StartError {
  message: string;
  setting?: string;
  port?: number;
}

const log = pino({ name: 'softswitch', level: 'warn' }, pino.destination({ dest: 2, sync: true }));

process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'softswitch stopped by a bug');
  process.exit(1);
});
await run();

async function run(): Promise<void> {
  const options = await readOptions();
  if (!options) {
    log.fatal('no options received');
    process.exit(1);
  }
  let softswitch: Softswitch;
  try {
    softswitch = await start(options);
  } catch (error) {
    await answer((error as { cause: SoftswitchFailed }).cause);
    process.exit(1);
  }
  // Before the answer, so that the process also ends if the parent has already exited.
  endWith(softswitch);
  await answer(softswitch.answer);
}

/** The options from the parent; undefined when none arrive within the limit. */
function readOptions(): Promise<SoftswitchOptions | undefined> {
  const argument = process.argv[2];
  if (argument !== undefined) return Promise.resolve(JSON.parse(argument) as SoftswitchOptions);
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve(undefined), OPTIONS_LIMIT_MS);
    process.once('message', (options) => {
      clearTimeout(limit);
      resolve(options as SoftswitchOptions);
    });
  });
}

async function start(options: SoftswitchOptions): Promise<Softswitch> {
  const signalling = await startSignalling(options.signalling).catch(fromHalf('signalling', options.signalling));
  const media = await startMedia(options.media).catch(async (error) => {
    await signalling.close();
    return fromHalf('media', options.media)(error);
  });
  const { sipPort, drachtioPort } = signalling;
  return {
    answer: { ready: true, sipPort, drachtioPort, eslPort: media.eslPort, mediaSipPort: media.sipPort },
    close: async () => {
      await Promise.all([signalling.close(), media.close()]);
    },
  };
}

/** Adds the name of the invalid option to an error. */
function fromHalf(half: keyof SoftswitchOptions, options: object): (error: StartError) => never {
  return (error) => {
    const option =
      error.setting ?? Object.entries(options).find(([, value]) => value !== 0 && value === error.port)?.[0];
    const setting = option === undefined ? {} : { setting: `${half}.${option}` };
    throw new Error(error.message, { cause: { error: error.message, ...setting } satisfies SoftswitchFailed });
  };
}

function answer(message: SoftswitchAnswer): Promise<void> {
  if (!process.send) {
    process.stdout.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

function endWith(softswitch: Softswitch): void {
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), CLOSE_LIMIT_MS).unref();
    void softswitch.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('disconnect', end);
  // A terminal sends Ctrl-C to the whole group; the parent ends its calls first and then stops this process.
  process.on('SIGINT', () => process.send || end());
  if (process.send && !process.connected) end();
}
