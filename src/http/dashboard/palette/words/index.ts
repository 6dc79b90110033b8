/** The words of the command palette and the list of shortcuts. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const paletteWords = wordsOf({ en, de, es, fr });
