/** Whole calls through SIPp: how they come in and every way they end. */
import { vi } from 'vitest';
import { arrivals } from './sipp/arrivals.ts';
import { endings } from './sipp/endings.ts';
import { useSharedProduct } from './sipp/shared-product.ts';

// They wait most of their time: all at once.
vi.setConfig({ testTimeout: 180_000, maxConcurrency: 48 });

useSharedProduct();
arrivals();
endings();
