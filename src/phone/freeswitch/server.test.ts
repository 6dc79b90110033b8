import { afterEach, expect, it } from 'vitest';
import { FreeswitchServer, type SrtpPolicy } from './server.ts';

/** Nothing listens there. */
const NOWHERE = { address: '127.0.0.1', port: 9, secret: 'unused', listenAddress: '127.0.0.1', listenPort: 0 };
const quiet = () => undefined;

let server: FreeswitchServer;
afterEach(() => server.close());

it.each<[SrtpPolicy, string]>([
  ['forbidden', 'no_server'],
  ['optional', 'no_server'],
  ['required', 'encryption'],
])('with encryption %s, a leg to be bridged fails with %s', async (srtp, reason) => {
  const log = { info: quiet, warn: quiet, error: quiet };
  server = new FreeswitchServer({ createUAC: quiet }, { ...NOWHERE, srtp, log }, quiet);
  await expect(server.createLeg(null, { onKey: null, isBeside: true })).rejects.toMatchObject({
    name: 'NoMedia',
    reason,
  });
});
