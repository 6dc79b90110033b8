/** The log of a real process: all lines arrive in order, however the process ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProduct, type TestProduct } from '../support/product.ts';

describe('the log of the product', () => {
  let product: TestProduct;
  beforeAll(async () => {
    product = await startProduct({ RINGKEY_ROLES: 'api', RINGKEY_ENGINE: 'external' });
  });
  afterAll(() => product?.close());

  test('has a line for each request that it answered before it was told to stop', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${product.baseUrl}/v1/nowhere`)));
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    await product.stop('SIGTERM');
    // The rest of the pipe is read after the process has ended.
    await expect.poll(() => product.output()).toContain('"msg":"stopped"');
    const lines = product.output().split('\n');
    const answered = lines.filter((line) => line.includes('"msg":"request answered"'));
    expect(ids.filter((id) => answered.filter((line) => line.includes(`"${id}"`)).length !== 1)).toEqual([]);
  });
});

describe('the log of a process', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** @param code uses the variable `log` */
  function startLogging(code: string) {
    const log = pathToFileURL('dist/lib/observability/log.js').href;
    const script = `import { createLog } from '${log}'; const log = createLog({ level: 'info', instance: 'a' }); ${code}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    return child;
  }

  test.each([
    ['by itself', ''],
    ['by process.exit', 'process.exit();'],
    ['by an exception', 'throw new Error("fault");'],
  ])('is complete if the process ends %s', async (_, ending) => {
    const lines = await text(startLogging(`log.info('first'); log.info('last'); ${ending}`).stdout);
    expect(lines.match(/"msg":"\w+"/g)).toEqual(['"msg":"first"', '"msg":"last"']);
  });

  test('arrives while the process continues', async () => {
    const child = startLogging(`log.info('there'); setInterval(() => undefined, 1_000);`);
    const [chunk] = await once(child.stdout, 'data');
    expect(String(chunk)).toContain('"msg":"there"');
  });

  test('is complete for a slow reader', async () => {
    const child = startLogging('for (let at = 0; at < 20_000; at += 1) log.info({ at }, "line");');
    child.stdout.pause();
    await once(child.stdout, 'readable');
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { at: number }).at)).toEqual([...Array(20_000).keys()]);
  });

  test('does not keep the process from ending if its reader is gone', async () => {
    const child = startLogging(`setTimeout(() => { log.fatal('unread'); }, 500);`);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
