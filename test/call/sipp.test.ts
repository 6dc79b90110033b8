/** Whole calls through SIPp: how they arrive, and every way they end. */
import { vi } from 'vitest';
import { arrivals } from './sipp/arrivals.ts';
import { endings } from './sipp/endings.ts';
import { useSharedProduct } from './sipp/shared-product.ts';

// They mostly wait, but all at once they would start late on two cores.
vi.setConfig({ testTimeout: 400_000, maxConcurrency: 16 });

useSharedProduct();
arrivals();
endings();
