/** The words of a line for the record of a call: without what identifies a card or a person. */
import type { Line } from '../flow/lines.ts';
import type { SpokenCard } from '../flow/terms.ts';
import type { Speech, Vocabulary } from './ports.ts';

export interface Transcript {
  text: string;
  /** BCP 47. */
  language: string;
}

/** In place of digits of cards, accounts and phone numbers, and of the payer's name. */
const LEFT_OUT = '…';

/**
 * The integrator's own messages may name a person, so the record has the names of their fields instead.
 */
export function transcriptOf(
  speech: Pick<Speech, 'words' | 'spokenLanguage'>,
  line: Line,
  vocabulary: Vocabulary,
): Transcript {
  return {
    text: speech.words(withoutDigits(line), withoutPersons(vocabulary)),
    language: speech.spokenLanguage(vocabulary),
  };
}

function withoutDigits(line: Line): Line {
  switch (line.name) {
    case 'greeting':
      return { ...line, ...cardsOf(line.savedCards) };
    case 'ask':
      return { ...line, ...(line.lastFour !== undefined && { lastFour: LEFT_OUT }), ...cardsOf(line.savedCards) };
    case 'link_sent':
      return { ...line, lastTwo: LEFT_OUT };
    default:
      return line;
  }
}

function cardsOf(cards: readonly SpokenCard[] | undefined): { savedCards?: readonly SpokenCard[] } {
  return cards === undefined ? {} : { savedCards: cards.map(({ brand }) => ({ brand, lastFour: LEFT_OUT })) };
}

function withoutPersons(vocabulary: Vocabulary): Vocabulary {
  const { successMessage, failureMessage, saveSentence, debit } = vocabulary;
  return {
    ...vocabulary,
    successMessage: successMessage && '[success_message]',
    failureMessage: failureMessage && '[failure_message]',
    ...(saveSentence && { saveSentence: '[save_sentence]' }),
    ...(debit && { debit: { ...debit, payer: LEFT_OUT } }),
  };
}
