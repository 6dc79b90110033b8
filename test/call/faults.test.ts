/** Failures of every part of the running product, with calls on the line. */
import { vi } from 'vitest';
import { engineFaults } from './faults/engine.ts';
import { external } from './faults/fault-harness.ts';
import { malformedMessages } from './faults/malformed-messages.ts';
import { processFaults } from './faults/process.ts';
import { recordFaults } from './faults/servers.ts';
import { speechFaults } from './faults/speech.ts';

// Each test has its own product. There is one set of real daemons, for one product at a time.
vi.setConfig({ testTimeout: 400_000, maxConcurrency: external ? 1 : 6 });

engineFaults();
recordFaults();
speechFaults();
processFaults();
malformedMessages();
