/** The timeline of a call: every SIP message, prompt and key press, shown as it happens and kept for the report. */

type Entry =
  | { kind: 'sip'; text: string }
  | { kind: 'said'; text: string; forMs: number; complete: boolean }
  | { kind: 'keyed'; text: string }
  | { kind: 'silence'; forMs: number }
  | { kind: 'agent'; text: string }
  /** What the caller does on the pay page. */
  | { kind: 'page'; text: string }
  | { kind: 'note'; text: string };

export type TimedEntry = Entry & { atMs: number };

const SIGN = {
  sip: 'sip  ',
  said: 'line ',
  keyed: 'keys ',
  silence: '     ',
  agent: 'agent',
  page: 'page ',
  note: '     ',
} as const;

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** An entry as one line of text. */
export function describeEntry(entry: TimedEntry): string {
  const head = `${(entry.atMs / 1000).toFixed(2).padStart(7)}  ${SIGN[entry.kind]}  `;
  switch (entry.kind) {
    case 'said':
      // Text in parentheses is no sentence but the kind of sound.
      return `${head}${entry.text.startsWith('(') ? entry.text : `“${entry.text}”`} (${seconds(entry.forMs)} s${entry.complete ? '' : ', cut short'})`;
    case 'silence':
      return `${head}… ${seconds(entry.forMs)} s of silence`;
    default:
      return head + entry.text;
  }
}

/** Collects entries with their times since the start of the call. */
export class Timeline {
  readonly entries: TimedEntry[] = [];
  readonly #startedAtMs: number;
  readonly #show: (entry: TimedEntry) => void;

  constructor(startedAtMs: number, show: (entry: TimedEntry) => void) {
    this.#startedAtMs = startedAtMs;
    this.#show = show;
  }

  /** Adds an entry that started at `atMs` of `performance.now()`. */
  add(entry: Entry, atMs = performance.now()): void {
    const timed = { ...entry, atMs: Math.round(atMs - this.#startedAtMs) };
    this.entries.push(timed);
    this.#show(timed);
  }
}
