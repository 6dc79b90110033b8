/** The list of merchants that a caller chooses from, each with its key. */
import type { SpokenMerchant } from '../flow/types.ts';
import { amountInWords } from '../languages/amount.ts';
import type { Language } from '../languages/language.ts';
import { tidy } from './tidy.ts';
import type { Sentence } from './wording.ts';

const SENTENCES = ['choose_merchant.1', 'choose_merchant.2', 'choose_merchant.3'] as const;

/** Of a list of names none may be so long that the others are forgotten, or never heard. */
const MAX_NAME_LENGTH = 40;

/** A sentence a merchant: by its name, with the amount where another one has the same. */
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

/** A long name is cut behind a word. */
function spokenName({ businessName }: SpokenMerchant): string {
  const name = tidy(businessName);
  if (name.length <= MAX_NAME_LENGTH) return name;
  const words = name.slice(0, MAX_NAME_LENGTH + 1).split(' ');
  return words.length > 1 ? words.slice(0, -1).join(' ') : [...name].slice(0, MAX_NAME_LENGTH).join('');
}
