/** The words of messages about attention items, summaries and reports. Those of the items are in contract/attention-words.ts. */
import type { LanguageTag } from '../../languages/index.ts';
import { de } from './de.ts';
import { type AlertTexts, en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export type { AlertTexts } from './en.ts';

const LANGUAGES: Readonly<Record<LanguageTag, AlertTexts>> = { en, de, es, fr };

/** @param tag of the reader: the user's choice. Messages of the account are in English */
export const alertTexts = (tag: LanguageTag): AlertTexts => LANGUAGES[tag];
