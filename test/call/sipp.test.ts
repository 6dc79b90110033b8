/** Whole calls through SIPp: how they come in and every way they end. */
import { vi } from 'vitest';
import { arrivals } from './sipp/arrivals.ts';
import { endings } from './sipp/endings.ts';
import { useSharedProduct } from './sipp/shared-product.ts';

// They wait most of their time, but all at once they would begin late on two cores.
vi.setConfig({ testTimeout: 400_000, maxConcurrency: 16 });

useSharedProduct();
arrivals();
endings();
