/** The words of the checkouts' pages, and of their activity and next steps, which calls show, too. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export const checkoutWords = wordsOf({ en, de, es, fr });
