/** A request that carries a keyed bank account: placeholders in its text, filled by {@link fillPlaces} (card-request.ts). */
import type { KeyedBankAccount } from '../../domain/bank-account.ts';
import { randomToken } from '../../domain/ids.ts';

type Part = 'routingNumber' | 'accountNumber';

export type AccountPlaces = Readonly<Record<Part, string>>;

export function accountPlaces(): AccountPlaces {
  const name = randomToken();
  return { routingNumber: `place_${name}_routing`, accountNumber: `place_${name}_account` };
}

export const accountParts = ({ routingNumber, accountNumber }: KeyedBankAccount): Record<Part, readonly Buffer[]> => ({
  routingNumber: [routingNumber.bytes()],
  accountNumber: [accountNumber.bytes()],
});

/**
 * A name as banks exchange it: without accents, and not longer than the entry's field.
 * @param length of the processor's field
 */
export const bankName = (name: string, length: number) =>
  name.normalize('NFD').replace(/\p{M}/gu, '').slice(0, length).trim();
