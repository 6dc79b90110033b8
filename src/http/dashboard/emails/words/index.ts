/** The words of the list of emails. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const emailWords = wordsOf({ en, de, es, fr });
