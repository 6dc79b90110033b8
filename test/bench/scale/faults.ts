/** What happens to the parts of the service while callers pay: each is killed, frozen for 5 s, or drained. */
import { setTimeout as delay } from 'node:timers/promises';
import { familyOf, listenerOn } from '../call/machine.ts';
import { accepts, type EngineProcess } from './engines.ts';
import type { Part } from './part.ts';
import type { ScaleStage } from './stage.ts';

export interface Fault {
  name: string;
  /** @throws if the part does not do what was expected */
  happen(): Promise<void>;
}

const FREEZE_MS = 5_000;
/** About what a supervisor waits before it starts a process again. */
const RESTART_AFTER_MS = 2_000;

export function faultsOf(stage: ScaleStage): Fault[] {
  const { engines, phones, apis, workers } = stage;
  const [sip1, sip2] = engines.sip;
  const [media1, media2] = engines.media;
  const drained = engines.media.slice(0, 2);
  return [
    ...ofEngine(sip1, ['kill']),
    ...ofEngine(sip2, ['freeze']),
    ...ofEngine(media1, ['kill']),
    ...ofEngine(media2, ['freeze']),
    ...drained.map((media) => drainMedia(stage, media)),
    ...ofEngine(sip1, ['freeze']),
    ...ofEngine(sip2, ['kill']),
    ...ofEngine(media1, ['freeze']),
    ...ofEngine(media2, ['kill']),
    ...phones.flatMap((phone, at) => ofProcess(phone, at % 2 === 0 ? ['kill'] : ['freeze'])),
    ...phones.slice(0, 2).flatMap((phone) => ofProcess(phone, ['drain'])),
    ...apis.flatMap((api, at) => ofProcess(api, at === 0 ? ['kill', 'drain'] : ['freeze'])),
    ...workers.flatMap((worker, at) => ofProcess(worker, at === 0 ? ['kill', 'drain'] : ['freeze'])),
    ...ofPooler(stage),
    ...ofRedis(stage),
    { name: 'freeze PostgreSQL', happen: () => freezeFamily(stage.postgresPort) },
  ];
}

type How = 'kill' | 'freeze' | 'drain';

function ofEngine(engine: EngineProcess | undefined, hows: readonly How[]): Fault[] {
  if (engine === undefined) return [];
  const { name, part } = engine;
  if (part !== null) return ofProcess(part, hows);
  return hows.includes('freeze')
    ? [{ name: `freeze ${name}`, happen: () => freeze((signal) => engine.signal(signal)) }]
    : [];
}

function ofProcess(part: Part, hows: readonly How[]): Fault[] {
  const happen = {
    kill: async () => {
      await part.end('SIGKILL');
      await delay(RESTART_AFTER_MS);
      await part.start();
    },
    freeze: () => freeze((signal) => part.signal(signal)),
    drain: async () => {
      if (!(await part.end())) throw new Error(`${part.name} did not end after SIGTERM`);
      await part.start();
    },
  };
  return hows.map((how) => ({ name: `${how} ${part.name}`, happen: happen[how] }));
}

function drainMedia({ ringkey }: ScaleStage, { name, host }: EngineProcess): Fault {
  return {
    name: `drain ${name}`,
    async happen() {
      await ringkey('media', 'drain', host, '--wait', '2');
      await ringkey('media', 'undrain', host);
    },
  };
}

function ofPooler({ pooler }: ScaleStage): Fault[] {
  if (pooler === null) return [];
  return [
    { name: 'freeze PgBouncer', happen: () => freezeFamily(pooler.port) },
    {
      name: 'kill PgBouncer',
      async happen() {
        signalListener(pooler.port, 'SIGKILL');
        await delay(RESTART_AFTER_MS);
        await pooler.restart();
      },
    },
  ];
}

/** The frozen master comes back as a replica, so the killed one has a successor. */
function ofRedis({ redis }: ScaleStage): Fault[] {
  return [
    {
      name: 'freeze Redis',
      async happen() {
        await redis.signalMaster('SIGSTOP');
        await delay(FREEZE_MS);
        redis.resume();
        await redis.failedOver();
      },
    },
    {
      name: 'kill Redis',
      async happen() {
        await redis.signalMaster('SIGKILL');
        await redis.failedOver();
      },
    },
  ];
}

async function freeze(signal: (signal: NodeJS.Signals) => void): Promise<void> {
  signal('SIGSTOP');
  await delay(FREEZE_MS);
  signal('SIGCONT');
}

/** With the processes that PostgreSQL has for its connections. */
async function freezeFamily(port: number): Promise<void> {
  const pid = listenerOn(port);
  const pids = pid === null ? [] : familyOf(pid);
  const signalAll = (signal: NodeJS.Signals) => {
    for (const one of pids) signalIfThere(one, signal);
  };
  await freeze(signalAll);
  if (!(await accepts(port))) throw new Error(`nothing listens on port ${port} any more`);
}

function signalListener(port: number, signal: NodeJS.Signals): void {
  const pid = listenerOn(port);
  if (pid === null) throw new Error(`nothing listens on port ${port}`);
  process.kill(pid, signal);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
