/** Complete calls by SIPp: how they arrive, and every way in which they end. */
import { vi } from 'vitest';
import { arrivals } from './sipp/arrivals.ts';
import { endings } from './sipp/endings.ts';
import { useSharedProduct } from './sipp/shared-product.ts';

// Calls mostly wait, but if all started at once on two cores, they would be late.
vi.setConfig({ testTimeout: 400_000, maxConcurrency: 8 });

useSharedProduct();
arrivals();
endings();
