/** The words of the command palette and the list of shortcuts. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export const paletteWords = wordsOf({ en, de, es, fr });
