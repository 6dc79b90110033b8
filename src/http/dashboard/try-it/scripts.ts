/** The scripts of `ringkey call` that a test call can run. A test compares the names. `tryWords()` has their titles. */

export interface TestScript {
  /** Whether the script can use another test card. */
  takesCard: boolean;
  /** The caller's number. Defaults to the demo caller's. */
  caller?: string;
  /** The checkout offers a bank account, too. */
  offersBankAccount?: true;
  /** What the checkout is for. Defaults to a payment. */
  checkout?: 'hold' | 'save_card';
}

const SPANISH_CALLER = '+15550101303';

export const TEST_CALLER = '+15550101234';

const GROUPS = {
  successful: {
    pay: { takesCard: true },
    'type-ahead': { takesCard: false },
    'saved-card': { takesCard: false },
    ach: { takesCard: false, offersBankAccount: true },
    spanish: { takesCard: true, caller: SPANISH_CALLER },
    tip: { takesCard: true },
    part: { takesCard: true },
  },
  unpaid: {
    hold: { takesCard: false, checkout: 'hold' },
    'save-only': { takesCard: false, caller: '+15550101306', checkout: 'save_card' },
  },
  mistakes: {
    mistype: { takesCard: false },
    star: { takesCard: false },
    slow: { takesCard: true },
    'decline-then-ok': { takesCard: true },
    'call-back': { takesCard: false },
  },
  failed: {
    declined: { takesCard: true },
    'star-star': { takesCard: false },
    silent: { takesCard: false },
    'hangup-mid-card': { takesCard: false },
    pending: { takesCard: false },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TestScript>>>>;

export type ScriptGroup = keyof typeof GROUPS;
export type ScriptName = { [Group in ScriptGroup]: keyof (typeof GROUPS)[Group] }[ScriptGroup];

export const SCRIPT_GROUPS = Object.entries(GROUPS) as unknown as readonly (readonly [
  group: ScriptGroup,
  scripts: Readonly<Record<ScriptName, TestScript>>,
])[];

/** The script of this name; null for any other. */
export function findScript(name: string): TestScript | null {
  const found = SCRIPT_GROUPS.flatMap(([, scripts]) => Object.entries(scripts)).find(([each]) => each === name);
  return found?.[1] ?? null;
}
