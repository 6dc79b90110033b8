/** The log of a real process: whatever ends it, its lines arrive, all and in order. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProduct, type TestProduct } from '../support/product.ts';

describe('of the product', () => {
  let product: TestProduct;
  beforeAll(async () => {
    product = await startProduct({ RINGKEY_ROLES: 'api', RINGKEY_ENGINE: 'external' });
  });
  afterAll(() => product?.close());

  test('has a line for each request that it answered before it was told to stop', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${product.baseUrl}/v1/nowhere`)));
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    await product.stop('SIGTERM');
    // What lies in the pipe is read after the process has gone.
    await expect.poll(() => product.output()).toContain('"msg":"stopped"');
    const lines = product.output().split('\n');
    const answered = lines.filter((line) => line.includes('"msg":"request answered"'));
    expect(ids.filter((id) => answered.filter((line) => line.includes(`"${id}"`)).length !== 1)).toEqual([]);
  });
});

describe('of any process', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** @param code is given a `log` */
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
    ['by a fault', 'throw new Error("fault");'],
  ])('is whole when it ends %s', async (_, ending) => {
    const lines = await text(startLogging(`log.info('first'); log.info('last'); ${ending}`).stdout);
    expect(lines.match(/"msg":"\w+"/g)).toEqual(['"msg":"first"', '"msg":"last"']);
  });

  test('arrives although the process goes on', async () => {
    const child = startLogging(`log.info('there'); setInterval(() => undefined, 1_000);`);
    const [chunk] = await once(child.stdout, 'data');
    expect(String(chunk)).toContain('"msg":"there"');
  });

  test('is whole for a reader who falls behind', async () => {
    const child = startLogging('for (let at = 0; at < 20_000; at += 1) log.info({ at }, "line");');
    child.stdout.pause();
    await once(child.stdout, 'readable');
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { at: number }).at)).toEqual([...Array(20_000).keys()]);
  });

  test('keeps no process from ending when its reader has gone', async () => {
    const child = startLogging(`setTimeout(() => { log.fatal('nobody reads'); }, 500);`);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
