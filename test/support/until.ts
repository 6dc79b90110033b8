/** Waits for a condition that no event announces. For tests and benchmarks. */

const ASK_AGAIN_MS = 50;

/** Polls until the condition is true. @throws if it is not true within the limit */
export async function until(limitMs: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}
