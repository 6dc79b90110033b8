/** Compiles and copies into dist/, when a source changed since the last time. */
export function build(): void;

/** Compiles the benches into dist/bench; the compiled entry of one. */
export function buildBench(name: string): URL;
