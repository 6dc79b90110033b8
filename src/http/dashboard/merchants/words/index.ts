/** The words of the merchants' pages. `processor/` has those of connecting a processor. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const merchantWords = wordsOf({ en, de, es, fr });
