/** What the dashboard's scripts show: `data-words` of the page's body. Types only: the scripts import them. */
import type { PluralForms } from '../words/plural-forms.ts';

export interface BrowserWords {
  copied: string;
  notCopied: string;
  noResults: string;
  /** How many rows a list shows. */
  shown: PluralForms;
  noAnswer: string;
  /** The state of a live page. */
  upToDate: string;
  polling: string;
  noConnection: string;
  liveCalls: PluralForms;
  /** Of the command palette. */
  results: PluralForms;
  onThisPage: string;
  /** Buttons of the live tail. */
  pause: string;
  resume: string;
  resumeNew: PluralForms;
  /** Of signing in with a passkey. */
  failed: string;
  noPasskey: string;
}
