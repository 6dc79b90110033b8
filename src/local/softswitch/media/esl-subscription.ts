/** Which events a connection receives, and in which format (mod_event_socket's event, nixevent, noevents, filter). */
import type { SwitchEvent } from './event.ts';

type EventFormat = 'plain' | 'json';

/** Limit of filters per client, because each is checked for every event. */
const MAX_FILTERS = 1000;

interface Filter {
  header: string;
  value: string;
}

export class Subscription {
  format: EventFormat = 'plain';
  readonly #names = new Set<string>();
  readonly #subclasses = new Set<string>();
  readonly #filters: Filter[] = [];
  #all = false;
  #enabled = false;

  /** `event [plain|json] NAME … [CUSTOM subclass …]`. @returns the reply text */
  add(words: string[]): string {
    const [first = '', ...rest] = words;
    const format = first.toLowerCase();
    if (format === 'plain' || format === 'json') this.format = format;
    let custom = false;
    let known = 0;
    for (const word of ['plain', 'json', 'xml'].includes(format) ? rest : words) {
      if (custom) {
        this.#subclasses.add(word.toLowerCase());
        continue;
      }
      // A name may have the prefix of the C enum: SWITCH_EVENT_PLAYBACK_START.
      const name = word.toUpperCase().replace(/^SWITCH_EVENT_/, '');
      known++;
      if (name === 'ALL') this.#all = true;
      else this.#names.add(name);
      custom = name === 'CUSTOM';
    }
    if (known === 0) return '-ERR no keywords supplied';
    this.#enabled = true;
    return `+OK event listener enabled ${this.format}`;
  }

  /** `nixevent NAME …`. */
  remove(words: string[]): string {
    if (words.length === 0) return '-ERR no keywords supplied';
    let custom = false;
    for (const word of words) {
      const name = word.toUpperCase().replace(/^SWITCH_EVENT_/, '');
      if (custom) this.#subclasses.delete(word.toLowerCase());
      else if (name === 'ALL') this.#clear();
      else this.#names.delete(name);
      custom ||= name === 'CUSTOM';
    }
    return '+OK events nixed';
  }

  /** `noevents`. */
  stop(): string {
    if (!this.#enabled) return '-ERR not listening for events';
    this.#enabled = false;
    this.#clear();
    return '+OK no longer listening for events';
  }

  /** `filter [add|delete] header [value]`. */
  filter(words: string[]): string {
    const [first = '', ...rest] = words;
    if (first.toLowerCase() === 'delete' && rest[0] !== undefined)
      return this.#unfilter(rest[0], rest.slice(1).join(' '));
    const [header = '', ...value] = first.toLowerCase() === 'add' ? rest : words;
    if (!header || value.length === 0 || this.#filters.length >= MAX_FILTERS) return '-ERR invalid syntax';
    this.#filters.push({ header, value: value.join(' ') });
    return `+OK filter added. [${header}]=[${value.join(' ')}]`;
  }

  #unfilter(header: string, value: string): string {
    for (let index = this.#filters.length - 1; index >= 0; index--) {
      const filter = this.#filters[index];
      const same = filter?.header === header && (!value || filter.value === value);
      if (same || header.toLowerCase() === 'all') this.#filters.splice(index, 1);
    }
    return `+OK filter deleted. [${header}][${value}]`;
  }

  #clear(): void {
    this.#all = false;
    this.#names.clear();
    this.#subclasses.clear();
  }

  wants(event: SwitchEvent): boolean {
    if (!this.#enabled) return false;
    const named = this.#names.has(event.name);
    const subclass = event.name !== 'CUSTOM' || !event.subclass || this.#subclasses.has(event.subclass.toLowerCase());
    return (this.#all || (named && subclass)) && this.#passes(event);
  }

  /** An event passes if one filter matches it, unless a filter that starts with `-` matches it too. */
  #passes(event: SwitchEvent): boolean {
    if (this.#filters.length === 0) return true;
    let passes = false;
    for (const { header, value } of this.#filters) {
      const actual = event.headers.get(header);
      const [, sign = '', wanted = ''] = /^\s*([+-]?)\s*(.*)$/s.exec(value) ?? [];
      if (typeof actual !== 'string' || actual.toLowerCase() !== wanted.toLowerCase()) continue;
      if (sign === '-') return false;
      passes = true;
    }
    return passes;
  }
}
