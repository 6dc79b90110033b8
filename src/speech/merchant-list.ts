/** The list of merchants to choose from, as the line says it. */
import type { SpokenMerchant } from '../flow/terms.ts';
import type { Language } from '../languages/language.ts';
import { amountInWords } from '../languages/numbers.ts';
import { type Sentence, tidy } from './sentences.ts';

const SENTENCES = ['choose_merchant.1', 'choose_merchant.2', 'choose_merchant.3'] as const;

/** A longer name would make the caller forget the others. */
const MAX_NAME_LENGTH = 40;

/** One sentence per merchant: its name, with the amount if another merchant has the same name. */
export function listMerchants(merchants: readonly SpokenMerchant[], { line, numbers }: Language): Sentence[] {
  const names = merchants.map(spokenName);
  return SENTENCES.flatMap((sentence, place) => {
    const merchant = merchants[place];
    if (merchant === undefined) return [];
    const { say, plain } = line.sentences[sentence];
    const name = spokenName(merchant);
    const isUnique = names.filter((other) => other.toLowerCase() === name.toLowerCase()).length === 1;
    const { amountCents, currency } = merchant.amount;
    const business = isUnique ? name : `${name}, ${amountInWords(amountCents, currency, numbers)}`;
    return [{ text: say({ business }), plain: [plain] }];
  });
}

/** Cuts a long name after a word. */
function spokenName({ businessName }: SpokenMerchant): string {
  const name = tidy(businessName);
  if (name.length <= MAX_NAME_LENGTH) return name;
  const words = name.slice(0, MAX_NAME_LENGTH + 1).split(' ');
  return words.length > 1 ? words.slice(0, -1).join(' ') : [...name].slice(0, MAX_NAME_LENGTH).join('');
}
