/** What breaks, breaks here: every part of the running product in turn, with calls on the line. */
import { vi } from 'vitest';
import { engineFaults } from './faults/engine.ts';
import { external } from './faults/fault-harness.ts';
import { nonsense } from './faults/nonsense.ts';
import { processFaults } from './faults/process.ts';
import { recordFaults } from './faults/servers.ts';
import { speechFaults } from './faults/speech.ts';

// Each test has a product of its own; of real daemons there is one set, which takes one product at a time.
vi.setConfig({ testTimeout: 400_000, maxConcurrency: external ? 1 : 6 });

engineFaults();
recordFaults();
speechFaults();
processFaults();
nonsense();
