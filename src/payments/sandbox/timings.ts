/** How long the sandbox takes. Tests shorten it. */
export interface SandboxTimings {
  /** How long the slow card takes. */
  slowMs: number;
  /** How long after its server error the failing card gets its outcome. */
  settleMs: number;
  /** How long the hanging cards stay silent if the caller sets no limit. */
  hangMs: number;
}

export const TIMINGS: SandboxTimings = { slowMs: 12_000, settleMs: 3_000, hangMs: 120_000 };
