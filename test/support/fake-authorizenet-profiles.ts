/** Saved cards of the fake Authorize.net (customer profiles), and tokens of Accept.js. */
import { type Answer, messages, type Profile, Rejection } from './fake-authorizenet-answers.ts';
import { CARDS, REASONS } from './fake-authorizenet-cards.ts';
import type { Body, Capture } from './fake-authorizenet-requests.ts';

export class CustomerProfiles {
  readonly all: Profile[] = [];
  readonly #tokens = new Map<string, string>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  newToken(number: string = CARDS.good): string {
    const token = `eyJjb2RlIjoi${this.#newId()}${'NTBfMl8w'.repeat(40)}`;
    this.#tokens.set(token, number);
    return token;
  }

  /** The number that a payment is made with. */
  cardOf({ payment, profile }: Capture): string {
    if (profile !== undefined) {
      const found = this.all.find(({ id }) => id === profile.customerProfileId);
      if (found === undefined || found.id !== profile.paymentProfile.paymentProfileId) throw new Rejection('E00040');
      return found.number;
    }
    if (payment === undefined) throw new Rejection('E00014');
    return 'creditCard' in payment ? payment.creditCard.cardNumber : this.#useToken(payment.opaqueData.dataValue);
  }

  #useToken(token: string): string {
    const number = this.#tokens.get(token);
    if (number === undefined) throw new Rejection('E00114');
    this.#tokens.delete(token);
    return number;
  }

  saveToken({ profile }: Body<'createCustomerProfile'>): Answer {
    const [{ payment }] = profile.paymentProfiles;
    const number =
      'creditCard' in payment ? payment.creditCard.cardNumber : this.#useToken(payment.opaqueData.dataValue);
    if (REASONS[number] !== undefined) throw new Rejection('E00027');
    this.keepOnce(profile.merchantCustomerId, number);
    return { messages: messages(), ...(number === CARDS.unanswered && { fault: 'hang' as const }) };
  }

  keepOnce(merchantCustomerId: string, number: string): void {
    if (this.all.some((profile) => profile.merchantCustomerId === merchantCustomerId)) {
      throw new Rejection('E00039');
    }
    this.keep(merchantCustomerId, number);
  }

  keep(merchantCustomerId: string, number: string): Profile {
    const profile = { id: this.#newId(), merchantCustomerId, number };
    this.all.push(profile);
    return profile;
  }

  find(merchantCustomerId: string): Profile {
    const found = this.all.find((profile) => profile.merchantCustomerId === merchantCustomerId);
    if (found === undefined) throw new Rejection('E00040');
    return found;
  }

  remove(profileId: string): void {
    const at = this.all.findIndex(({ id }) => id === profileId);
    if (at < 0) throw new Rejection('E00040');
    this.all.splice(at, 1);
  }
}
