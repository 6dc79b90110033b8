/** The media half of the built-in engine as a process of its own. Its argument: its options as JSON. */
import { startMedia } from '../../../src/local/softswitch/media/index.ts';
import type { MediaOptions } from '../../../src/local/softswitch/options.ts';

const half = await startMedia(JSON.parse(process.argv[2] ?? '') as MediaOptions);
process.once('SIGTERM', () => void half.close().then(() => process.exit(0)));
console.log('ready');
