/** The words of the list of texts. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const textWords = wordsOf({ en, de, es, fr });
