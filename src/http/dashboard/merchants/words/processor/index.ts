/** The words of the pages that connect a merchant's processor and prove it. */
import { wordsOf } from '../../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export const processorWords = wordsOf({ en, de, es, fr });
