/** The words of the month-end report. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export const reportWords = wordsOf({ en, de, es, fr });
