/** The words of the page of attention items. Those of the items are in contract/attention-words.ts. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';
import { es } from './es.tsx';
import { fr } from './fr.tsx';

export type { AttentionPageWords } from './en.tsx';

export const attentionPageWords = wordsOf({ en, de, es, fr });
