/**
 * Opens something when it is first used, such as a vendor's package, which costs a process memory that it may never
 * need.
 */

/** @returns what `open` gave at the first call; after a failure it is asked again */
export function lazily<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}
