/** The words of the webhook endpoints' pages. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export const endpointWords = wordsOf({ en, de, es, fr });
