/** The words of signing in. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export type { SignInWords } from './en.tsx';

export const signInWords = wordsOf({ en, de, es, fr });
