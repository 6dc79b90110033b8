/**
 * The names of statuses, reasons and kinds, one table for each enumeration: a value without a name in each language does
 * not compile. A table agrees with its noun ("Fallido": el cobro; "Fallida": la llamada), so no two enumerations share one.
 */
import { wordsOf } from '../language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** `names().refundStatus[refund.status]`. */
export const names = wordsOf({ en, de, es, fr });

/** The values of an enumeration with their names, for a choice: `choicesOf(names().refundStatus)`. */
export const choicesOf = <Value extends string>(table: Readonly<Record<Value, string>>) =>
  Object.entries(table) as [Value, string][];
