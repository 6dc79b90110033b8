/** The rules of numbers, by language. A language without them can have no prompt catalogue. */
import { primaryLanguage } from '../../domain/language.ts';
import { germanNumber } from './de.ts';
import { englishNumber } from './en.ts';
import { spanishNumber } from './es.ts';
import { frenchNumber } from './fr.ts';
import type { NumberWords } from './number-words.ts';

/** What there is to say of whole numbers in a language. */
export interface NumberRules {
  words: NumberWords;
  /** Whether the noun behind this number is in the singular. */
  isSingular(value: number): boolean;
  /** Stands between this number and its noun, with a blank before it; mostly nothing. */
  beforeNoun(value: number): string;
}

const isOne = (value: number) => value === 1;
const nothing = () => '';
/** Un millón de yenes, deux millions de yens; but un millón mil yenes. */
const deAfterMillions = (value: number) => (value > 0 && value % 1_000_000 === 0 ? ' de' : '');

/** By primary language subtag. */
const NUMBERS: Readonly<Record<string, NumberRules>> = {
  en: { words: englishNumber, isSingular: isOne, beforeNoun: nothing },
  es: { words: spanishNumber, isSingular: isOne, beforeNoun: deAfterMillions },
  // Zéro dollar, un dollar.
  fr: { words: frenchNumber, isSingular: (value) => value < 2, beforeNoun: deAfterMillions },
  de: { words: germanNumber, isSingular: isOne, beforeNoun: nothing },
};

/** @param language BCP 47 */
export function numberRulesOf(language: string): NumberRules | null {
  return NUMBERS[primaryLanguage(language)] ?? null;
}
