/** Sets TMPDIR to a folder in memory, if there is room and the caller has not set it. */
export function useTestFolder(): void;

/** Whether the folder in memory can be used. Exported for its test. */
export function isRoomy(state: { mounts: string; freeBytes: number; memoryBytes: number }): boolean;
