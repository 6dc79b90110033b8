/** The words of the search. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const searchWords = wordsOf({ en, de, es, fr });
