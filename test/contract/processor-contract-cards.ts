/** The processor contract on connections, saved cards and tokens. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { PayableCard } from '../../src/payments/port/charges.ts';
import { secretCredentials } from '../../src/payments/port/credentials.ts';
import type { CardWallet } from '../../src/payments/port/saved-cards.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

export function connectionContract(bench: () => ProcessorUnderTest): void {
  describe('connection', () => {
    const check = (credentials: ProcessorUnderTest['credentials']) =>
      bench().processor.checkConnection('test', secretCredentials(credentials), requestTimeout());

    it('accepts valid credentials', async () => {
      const { processor, credentials } = bench();
      expect(processor.credentialsSchema('test').safeParse(credentials).success).toBe(true);
      expect(await check(credentials)).toMatchObject({ status: 'ok' });
    });

    it('names the account of shared cards, and a smaller part that its records are of, the same each time', async () => {
      const { account, recordsOf } = bench();
      const shared = {
        status: 'ok',
        ...(account !== null && { account }),
        ...(recordsOf !== undefined && { recordsOf }),
      };
      expect(await check(bench().credentials)).toEqual(shared);
      expect(await check(bench().credentials)).toEqual(shared);
    });

    it('rejects unknown and malformed credentials', async () => {
      const { processor, wrongCredentials } = bench();
      if (wrongCredentials === null) return;
      expect(await check(wrongCredentials)).toEqual({ status: 'invalid' });
      expect(await check({})).toEqual({ status: 'invalid' });
      expect(processor.credentialsSchema('test').safeParse({}).success).toBe(false);
      expect(processor.credentialsSchema('test').safeParse({ ...wrongCredentials, more: 'x' }).success).toBe(false);
    });

    it('makes no charge with bad credentials', async () => {
      const { processor, wrongCredentials, approved, countPayments } = bench();
      if (wrongCredentials === null) return;
      const request = { ...chargeRequest(bench(), approved()), credentials: secretCredentials(wrongCredentials) };
      expect(await processor.charge(request, requestTimeout())).toMatchObject({
        status: 'refused',
        processorCode: 'credentials_rejected',
      });
      expect(await countPayments(request)).toBe(0);
    });
  });
}

export function pageDomainContract(bench: () => ProcessorUnderTest): void {
  describe('wallets on the pay page', () => {
    it('registers the host once, and reports its active wallets', async () => {
      const { processor, credentials, countDomains } = bench();
      expect(processor.registerPageDomain === undefined).toBe(countDomains === null);
      if (processor.registerPageDomain === undefined || countDomains === null) return;
      const before = countDomains();
      const request = { mode: 'test', credentials: secretCredentials(credentials), domain: 'pay.example.com' } as const;
      const live = { applePay: true, googlePay: true };
      expect(await processor.registerPageDomain(request, requestTimeout())).toEqual(live);
      expect(await processor.registerPageDomain(request, requestTimeout())).toEqual(live);
      expect(countDomains()).toBe(before + 1);
    });

    it('reports nothing if the processor does not answer', async () => {
      const { processor, wrongCredentials } = bench();
      if (processor.registerPageDomain === undefined || wrongCredentials === null) return;
      const credentials = secretCredentials(wrongCredentials);
      const request = { mode: 'test', credentials, domain: 'pay.example.com' } as const;
      expect(await processor.registerPageDomain(request, requestTimeout())).toBeNull();
    });
  });
}

export function walletContract(bench: () => ProcessorUnderTest): void {
  describe('saved cards and tokens', () => {
    const credentials = () => secretCredentials(bench().credentials);
    const save = (token: string, instrumentId = newId('Instrument')) =>
      wallet().save({ instrumentId, mode: 'test', token, credentials: credentials() }, requestTimeout());
    const charge = (handle: string) =>
      bench().processor.charge(chargeRequest(bench(), { kind: 'saved', handle }), requestTimeout());
    function wallet(): CardWallet {
      const { wallet } = bench().processor;
      if (wallet === null) throw new Error('each of ours keeps cards');
      return wallet;
    }

    it('charges a token, and returns its card', async () => {
      const request = chargeRequest(bench(), { kind: 'token', token: bench().token() });
      expect(await bench().processor.charge(request, requestTimeout())).toMatchObject({
        status: 'succeeded',
        card: { brand: 'VISA', lastFour: expect.stringMatching(/^\d{4}$/) },
      });
    });

    it('saves a card from a token, which can then be charged', async () => {
      const saved = await save(bench().token());
      if (saved.status !== 'saved') throw new Error(saved.status);
      expect(saved).toMatchObject({ brand: 'VISA', lastFour: expect.stringMatching(/^\d{4}$/) });
      expect(saved.expiryMonth).toBeGreaterThanOrEqual(1);
      expect(saved.expiryYear).toBeGreaterThan(2025);
      expect(await charge(saved.handle)).toMatchObject({ status: 'succeeded' });
    });

    it('charges a saved card without its owner', async () => {
      const { processor } = bench();
      if (processor.can.merchantInitiated !== true) return;
      const saved = await save(bench().token());
      if (saved.status !== 'saved') throw new Error(saved.status);
      const card: PayableCard = { kind: 'saved', handle: saved.handle };
      const request = { ...chargeRequest(bench(), card), channel: 'merchant', agreedPaymentId: null } as const;
      expect(await processor.charge(request, requestTimeout())).toMatchObject({ status: 'succeeded' });
      expect(await processor.charge(request, requestTimeout())).toMatchObject({ status: 'succeeded' });
      expect(await bench().countPayments(request)).toBe(1);
    });

    it('saves a card once per ID', async () => {
      const [instrumentId, token] = [newId('Instrument'), bench().token()];
      const first = await save(token, instrumentId);
      expect(first).toMatchObject({ status: 'saved' });
      const isRepeatable = bench().tokenSavedOnce !== false;
      expect(await save(token, instrumentId)).toEqual(isRepeatable ? first : { status: 'refused' });
    });

    it('rejects an invalid token', async () => {
      expect(await save('tok_made_up')).toEqual({ status: 'refused' });
      const request = chargeRequest(bench(), { kind: 'token', token: 'tok_made_up' });
      expect(await bench().processor.charge(request, requestTimeout())).toMatchObject({ status: 'declined' });
    });

    const saveCharged = (processorPaymentId: string, instrumentId = newId('Instrument')) =>
      wallet().saveCharged(
        { instrumentId, mode: 'test', processorPaymentId, credentials: credentials() },
        requestTimeout(),
      );

    /** A charge with the caller's consent, and the card saved with it. */
    async function agreed(card: PayableCard) {
      const request = { ...chargeRequest(bench(), card), keepsCard: true };
      const paid = await bench().processor.charge(request, requestTimeout());
      if (paid.status !== 'succeeded') throw new Error(paid.status);
      const saved = await saveCharged(paid.processorPaymentId);
      if (saved.status !== 'saved') throw new Error(saved.status);
      return { request, paid, saved };
    }

    const newCards = (): PayableCard[] => {
      const card = bench().approved();
      return [...(card.kind === 'saved' ? [] : [card]), { kind: 'token', token: bench().token() }];
    };

    it('saves the card of a charge with consent', async () => {
      for (const card of newCards()) {
        const { saved } = await agreed(card);
        expect(saved.expiryMonth).toBeGreaterThanOrEqual(1);
        expect(await charge(saved.handle)).toMatchObject({ status: 'succeeded' });
      }
    });

    it('returns the saved card with the charge and on lookup, or never', async () => {
      for (const card of newCards()) {
        const { request, paid, saved } = await agreed(card);
        if (paid.savedCard !== undefined) expect({ status: 'saved', ...paid.savedCard }).toEqual(saved);
        const found = await bench().processor.lookUp({ ...request, createdAt: new Date() }, requestTimeout());
        expect(found).toEqual(paid);
      }
    });

    it('saves no card without consent', async () => {
      for (const card of newCards()) {
        const answer = await bench().processor.charge(chargeRequest(bench(), card), requestTimeout());
        expect(answer).not.toHaveProperty('savedCard');
      }
      const saved = await save(bench().token());
      if (saved.status !== 'saved') throw new Error(saved.status);
      expect(await charge(saved.handle)).not.toHaveProperty('savedCard');
    });

    it('recognizes the same card', async () => {
      const [one, other] = [await save(bench().token()), await save(bench().token())];
      if (one.status !== 'saved' || other.status !== 'saved') throw new Error('not saved');
      const hasOne = bench().hasFingerprints !== false;
      expect(one.fingerprint).toEqual(hasOne ? expect.stringMatching(/./) : null);
      expect(other.fingerprint).toBe(one.fingerprint);
    });

    it('deletes a card, also when repeated', async () => {
      const saved = await save(bench().token());
      if (saved.status !== 'saved') throw new Error(saved.status);
      const request = { handle: saved.handle, mode: 'test' as const, credentials: credentials() };
      expect(await wallet().forget(request, requestTimeout())).toEqual({ status: 'gone' });
      expect(await wallet().forget(request, requestTimeout())).toEqual({ status: 'gone' });
    });
  });
}
