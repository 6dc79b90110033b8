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
}

const isOne = (value: number) => value === 1;

/** By primary language subtag. */
const NUMBERS: Readonly<Record<string, NumberRules>> = {
  en: { words: englishNumber, isSingular: isOne },
  es: { words: spanishNumber, isSingular: isOne },
  // Zéro dollar, un dollar.
  fr: { words: frenchNumber, isSingular: (value) => value < 2 },
  de: { words: germanNumber, isSingular: isOne },
};

/** @param language BCP 47 */
export function numberRulesOf(language: string): NumberRules | null {
  return NUMBERS[primaryLanguage(language)] ?? null;
}
