/** The words of all lists: filters, paging, saved views, totals. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const listWords = wordsOf({ en, de, es, fr });
