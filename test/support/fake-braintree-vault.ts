/** Payment methods and customers of the fake Braintree. */
import type { z } from 'zod';
import { DECLINES, FAULTS } from './fake-braintree-cards.ts';
import { type Answer, methodOf, Refusal } from './fake-braintree-objects.ts';
import type { VERIFY } from './fake-braintree-requests.ts';

export class BraintreeIds {
  #count = 0;

  /** Braintree's IDs are Base64 of a type and a short ID, except those for a single use. */
  of(kind: string): string {
    return Buffer.from(`${kind}_${this.short()}`).toString('base64url');
  }

  short(): string {
    this.#count += 1;
    return [...String(this.#count)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  }
}

export class PaymentMethods {
  /** Numbers by single-use and vaulted ID. A single-use ID that was used has an empty one. */
  readonly #singleUse = new Map<string, string>();
  readonly #vault = new Map<string, string>();
  /** Companies by customer ID, and vaulted IDs by customer ID. */
  readonly #customers = new Map<string, string>();
  readonly #cardsOf = new Map<string, string>();
  readonly #ids: BraintreeIds;

  constructor(ids: BraintreeIds) {
    this.#ids = ids;
  }

  tokenize(number: string): string {
    const id = `tokencc_bh_${this.#ids.short()}`;
    this.#singleUse.set(id, number);
    return id;
  }

  keep(number: string): string {
    const id = this.#ids.of('paymentmethod_cc');
    this.#vault.set(id, number);
    return id;
  }

  /** Spends a single-use ID. */
  numberOf(id: string): string {
    const saved = this.#vault.get(id);
    if (saved !== undefined) return saved;
    const number = this.#singleUse.get(id);
    if (number === undefined) throw new Refusal('VALIDATION', '91565');
    if (number === '') throw new Refusal('VALIDATION', '91564');
    this.#singleUse.set(id, '');
    return number;
  }

  has(id: string): boolean {
    return this.#vault.has(id);
  }

  remove(id: string): void {
    if (!this.#vault.delete(id)) throw new Refusal('NOT_FOUND');
  }

  createCustomer(company: string): string {
    const customer = this.#ids.of('customer');
    this.#customers.set(customer, company);
    return customer;
  }

  vaulted(id: string): object {
    const number = this.numberOf(id);
    return methodOf(this.keep(number), number);
  }

  /** The bank verifies the card before it is vaulted. */
  verify({ paymentMethodId, customerId }: z.output<typeof VERIFY>): Answer {
    if (!this.#customers.has(customerId)) throw new Refusal('NOT_FOUND');
    const number = this.numberOf(paymentMethodId);
    const code = DECLINES[number];
    const id = this.#ids.of('verification');
    if (code !== undefined) {
      const verification = { id, status: 'PROCESSOR_DECLINED', processorResponse: { legacyCode: code } };
      return { data: { vaultCreditCard: { paymentMethod: null, verification } } };
    }
    const vaulted = this.keep(number);
    this.#cardsOf.set(customerId, vaulted);
    const data = {
      vaultCreditCard: { paymentMethod: methodOf(vaulted, number), verification: { id, status: 'VERIFIED' } },
    };
    const fault = FAULTS[number];
    return { data, ...(fault !== undefined && { fault }) };
  }

  cardsAt(company: string): string[] {
    const ours = [...this.#customers].filter(([, other]) => other === company);
    return ours.flatMap(([customer]) => this.#cardsOf.get(customer) ?? []);
  }

  customersAt(company: string): object {
    const ours = [...this.#customers].filter(([, other]) => other === company);
    const edges = ours.map(([customer]) => {
      const card = this.#cardsOf.get(customer) ?? '';
      const number = this.#vault.get(card);
      const methods = number === undefined ? [] : [{ node: methodOf(card, number) }];
      return { node: { company, paymentMethods: { edges: methods } } };
    });
    return { edges };
  }
}
