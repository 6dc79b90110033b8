/**
 * Preloaded into an app under test (`node --expose-gc --import`): answers its parent's question for memory after a full
 * collection. The app knows nothing of it.
 */
export interface MemoryAnswer {
  /** Bytes that live objects hold, on V8's heap and outside of it. */
  liveBytes: number;
  residentBytes: number;
}

process.on('message', (question) => {
  if (question !== 'memory') return;
  // The first collection runs finalizers whose buffers the second one frees.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ liveBytes: heapUsed + external, residentBytes: rss } satisfies MemoryAnswer);
});
// The app ends when it wants to.
process.channel?.unref();
