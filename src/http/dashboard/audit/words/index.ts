/** The words of the audit trail's page. */
import { wordsOf } from '../../words/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const auditWords = wordsOf({ en, de, es, fr });
