/** The sentences that ask the caller for a field. */
import { minorDigits } from '../domain/cached-formats.ts';
import type { AskLine, FieldError } from '../flow/lines.ts';
import type { Field, SpokenCard } from '../flow/terms.ts';
import { askedFor, looksWrong, SAVED_CARD_KEYS, type SentenceName, TIP_KEYS } from './sentence-names.ts';
import { type Sentence, type Sentences, tidy } from './sentences.ts';

/** The question for a field, after the reason why it is asked again. */
export function questionFor(sentences: Sentences, line: AskLine): Sentence[] {
  const { field, attempt, error, codeLength, lastFour, offersKeeping, offersLink, savedCards } = line;
  if (field === 'saved_card') return askWhichCard(sentences, line);
  if (field === 'tip') return askTip(sentences, line);
  if (field === 'debit_terms') return debitTerms(sentences, line);
  const what = error === 'card_not_accepted' ? 'card_number.another' : askedFor(field, attempt, codeLength);
  const lastTry = attempt === 3 ? sentences.wayOut() : [];
  const why = error === null ? [] : reasonFor(sentences, error, field, keysOf(line));
  if (field === 'part_amount') return [...why, ...askPartAmount(sentences), ...lastTry];
  if (field === 'keep_card') return [...why, ...keepCard(sentences, what), ...lastTry];
  if (field !== 'confirmation')
    return [...why, ...askNumber(sentences, what, savedCards), ...offeredLink(sentences, offersLink), ...lastTry];
  const digits = [...(lastFour ?? '')].map((digit) => sentences.digit(digit));
  const card = digits.length > 0 ? [...sentences.say('confirmation.card'), ...digits] : [];
  const keeping = offersKeeping === true ? sentences.say('confirmation.keep') : [];
  const charged = { tipCents: line.tip?.tipCents ?? 0, remainingCents: line.remainingCents ?? 0 };
  const pay = sentences.charged(charged).say('confirmation.pay');
  return [
    ...why,
    ...card,
    ...pay,
    ...sentences.say('confirmation.change'),
    ...keeping,
    ...changeAmount(sentences, line),
    ...lastTry,
  ];
}

function askPartAmount(sentences: Sentences): Sentence[] {
  const hasDecimals = minorDigits(sentences.vocabulary.currency) > 0;
  return sentences.say('part_amount.ask', ...(hasDecimals ? (['part_amount.point'] as const) : []));
}

function changeAmount(sentences: Sentences, { offersPart, tips }: AskLine): Sentence[] {
  if (offersPart) return sentences.say('confirmation.amount');
  return tips === undefined ? [] : sentences.say('confirmation.tip');
}

function askTip(sentences: Sentences, { error, tips = [] }: AskLine): Sentence[] {
  const why = error === null ? [] : reasonFor(sentences, error, 'tip', 4);
  const each = TIP_KEYS.flatMap((name, place) => sentences.tip(name, tips[place]));
  return [...why, ...sentences.say('tip.ask'), ...each, ...sentences.say('tip.none')];
}

/** All that the caller authorizes, in every attempt. */
function debitTerms(sentences: Sentences, { error, attempt, accountType, lastFour, asksConsent }: AskLine): Sentence[] {
  const why = error === null ? [] : reasonFor(sentences, error, 'debit_terms', 2);
  const digits = [...(lastFour ?? '')].map((digit) => sentences.digit(digit));
  return [
    ...why,
    ...sentences.say('debit.terms', accountType === 'savings' ? 'debit.savings' : 'debit.checking'),
    ...(digits.length > 0 ? [...sentences.say('debit.ending'), ...digits] : []),
    ...sentences.say('debit.questions', ...(asksConsent ? (['debit.agree'] as const) : [])),
    ...(attempt === 3 ? sentences.wayOut() : []),
  ];
}

function keepCard(sentences: Sentences, what: SentenceName): Sentence[] {
  const text = tidy(sentences.vocabulary.saveSentence ?? '');
  if (text === '') return sentences.say(what, 'keep_card.pay');
  // No recording says what the caller agrees to: without these words, the standard question is asked.
  return [{ text, plain: [] }, ...sentences.say('keep_card.agree', 'keep_card.pay')];
}

/** @param savedCards offered on the key 1: one card by its name, several together */
export function askNumber(
  sentences: Sentences,
  what: SentenceName,
  savedCards: readonly SpokenCard[] = [],
): Sentence[] {
  if (savedCards.length === 0) return sentences.say(what);
  const offer = savedCards.length === 1 ? namedCards(sentences, savedCards) : sentences.say('saved_card.all');
  return [...offer, ...sentences.say('card_number.instead')];
}

function askWhichCard(sentences: Sentences, { attempt, error, offersLink, savedCards = [] }: AskLine): Sentence[] {
  const why = error === null ? [] : reasonFor(sentences, error, 'saved_card', 2);
  const list = [...namedCards(sentences, savedCards), ...sentences.say('saved_card.or_star')];
  return [...why, ...list, ...offeredLink(sentences, offersLink), ...(attempt === 3 ? sentences.wayOut() : [])];
}

/** Each card with its key, its brand and its last four digits, one by one. */
function namedCards(sentences: Sentences, cards: readonly SpokenCard[]): Sentence[] {
  return SAVED_CARD_KEYS.flatMap((name, place) => {
    const card = cards[place];
    if (card === undefined) return [];
    return [sentences.withBrand(name, card.brand), ...[...card.lastFour].map((digit) => sentences.digit(digit))];
  });
}

function reasonFor(sentences: Sentences, error: FieldError, field: Field, keys: 2 | 3 | 4): Sentence[] {
  // The `declined` line has already said it.
  if (error === 'bank_doubts') return [];
  return sentences.say(error === 'looks_wrong' ? looksWrong(field, keys) : `again.${error}`);
}

export function offeredLink(sentences: Sentences, isOffered: true | undefined): Sentence[] {
  return isOffered ? sentences.say('offer_link') : [];
}

/** How many keys a confirmation offers. */
function keysOf({ tips, offersPart, offersKeeping }: AskLine): 2 | 3 | 4 {
  if (tips !== undefined || offersPart) return 4;
  return offersKeeping === true ? 3 : 2;
}
