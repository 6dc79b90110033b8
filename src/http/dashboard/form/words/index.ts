/** The words of all forms and of the settings' frame. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export const formWords = wordsOf({ en, de, es, fr });
