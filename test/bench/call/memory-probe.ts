/**
 * Preloaded into an app under test (`node --expose-gc --import`): answers its parent's message with the memory after a
 * full garbage collection. The app does not use it.
 */
export interface MemoryAnswer {
  /** Bytes of live objects, on V8's heap and outside it. */
  liveBytes: number;
  residentBytes: number;
}

process.on('message', (question) => {
  if (question !== 'memory') return;
  // The first collection runs finalizers, whose buffers the second one frees.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ liveBytes: heapUsed + external, residentBytes: rss } satisfies MemoryAnswer);
});
// The channel must not keep the app alive.
process.channel?.unref();
