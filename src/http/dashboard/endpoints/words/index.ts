/** The words of the webhook endpoints' pages. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const endpointWords = wordsOf({ en, de, es, fr });
