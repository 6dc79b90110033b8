/** The rules of a bank account's fields: when its digits are complete, and whether they are usable. */
import {
  ACCOUNT_NUMBER_LENGTHS,
  isAccountNumber,
  isRoutingNumber,
  isSameNumber,
  ROUTING_NUMBER_LENGTH,
} from '../domain/bank-account.ts';
import type { FieldRule } from './field-rule.ts';
import type { AccountField } from './terms.ts';

/** Account numbers have any length, so the pound key or a pause ends them. */
const accountProgress: FieldRule['progress'] = (keyed) => {
  if (keyed.length >= ACCOUNT_NUMBER_LENGTHS.max) return 'complete';
  return keyed.length >= ACCOUNT_NUMBER_LENGTHS.min ? 'may_be_complete' : 'incomplete';
};

export const ACCOUNT_FIELDS: Readonly<Record<AccountField, FieldRule>> = {
  routing_number: {
    progress: (keyed) => (keyed.length >= ROUTING_NUMBER_LENGTH ? 'complete' : 'incomplete'),
    read(keyed, { card }) {
      if (keyed.length < ROUTING_NUMBER_LENGTH) return 'incomplete';
      return isRoutingNumber(keyed) ? { ...card, routingNumber: keyed } : 'looks_wrong';
    },
  },
  account_number: {
    progress: accountProgress,
    read: (keyed, { card }) => (isAccountNumber(keyed) ? { ...card, accountNumber: keyed } : 'incomplete'),
  },
  account_number_again: {
    progress: accountProgress,
    read(keyed, { card }) {
      if (card.accountNumber === null || !isSameNumber(card.accountNumber, keyed)) return 'numbers_differ';
      keyed.wipe();
      return card;
    },
  },
};
