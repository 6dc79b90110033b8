/** One running app claims its home: two apps on one home would end each other's servers. */
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { CannotStart } from '../../../lib/start-error.ts';

/** Another process runs on this home. Its servers can be used, but not started. */
export class HomeTaken extends CannotStart {}

/**
 * Takes the home for this process. The claim is a socket in Linux's abstract namespace, which the kernel frees however
 * the process ends; elsewhere there is none. @throws HomeTaken when another process has it
 */
export async function claimHome(home: string): Promise<{ release(): void }> {
  const server = createServer().unref();
  if (process.platform !== 'linux') return { release: () => undefined };
  const { dev, ino } = statSync(home);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = new HomeTaken(`Ringkey already runs on ${home}: stop it, or set RINGKEY_HOME to another folder.`);
      reject(error.code === 'EADDRINUSE' ? taken : error);
    });
    server.listen({ path: `\0ringkey-home-${dev}-${ino}` }, resolve);
  });
  return { release: () => server.close() };
}
