/** The signalling half of the built-in engine as a process of its own. Its argument: its options as JSON. */
import type { SignallingOptions } from '../../../src/local/softswitch/options.ts';
import { startSignalling } from '../../../src/local/softswitch/signalling/index.ts';

const half = await startSignalling(JSON.parse(process.argv[2] ?? '') as SignallingOptions);
process.once('SIGTERM', () => void half.close().then(() => process.exit(0)));
console.log('ready');
