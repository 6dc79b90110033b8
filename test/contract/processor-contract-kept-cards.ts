/** The processor contract on saved cards, for a processor that saves a card with its charge only, not by a token. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { PayableCard } from '../../src/payments/port/charges.ts';
import { secretCredentials } from '../../src/payments/port/credentials.ts';
import type { CardWallet } from '../../src/payments/port/saved-cards.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

export function keptCardContract(bench: () => ProcessorUnderTest): void {
  describe('saved cards without tokens', () => {
    const charge = (card: PayableCard, overrides = {}) =>
      bench().processor.charge({ ...chargeRequest(bench(), card), ...overrides }, requestTimeout());

    function wallet(): CardWallet {
      const { wallet } = bench().processor;
      if (wallet === null) throw new Error('it saves cards');
      return wallet;
    }

    async function savedHandle(): Promise<string> {
      const card = bench().approved();
      if (card.kind === 'saved') return card.handle;
      const paid = await charge(card, { keepsCard: true });
      if (paid.status !== 'succeeded' || paid.savedCard === undefined) throw new Error(paid.status);
      expect(paid.savedCard).toMatchObject({ brand: 'VISA', lastFour: expect.stringMatching(/^\d{4}$/) });
      expect(paid.savedCard.expiryMonth).toBeGreaterThanOrEqual(1);
      expect(paid.savedCard.expiryYear).toBeGreaterThan(2025);
      return paid.savedCard.handle;
    }

    it('saves no card by a token', async () => {
      const credentials = secretCredentials(bench().credentials);
      const request = { instrumentId: newId('Instrument'), mode: 'test' as const, token: 'tok_1', credentials };
      expect(await wallet().save(request, requestTimeout())).toEqual({ status: 'refused' });
    });

    it('saves the card of a charge with consent, which can then be charged with and without its owner', async () => {
      const handle = await savedHandle();
      expect(await charge({ kind: 'saved', handle })).toMatchObject({ status: 'succeeded' });
      const merchants = { channel: 'merchant', agreedPaymentId: null };
      expect(await charge({ kind: 'saved', handle }, merchants)).toMatchObject({ status: 'succeeded' });
    });

    it('saves no card without consent', async () => {
      expect(await charge(bench().approved())).not.toHaveProperty('savedCard');
    });

    it('declines a card that was never saved', async () => {
      expect(await charge({ kind: 'saved', handle: 'none' })).toMatchObject({ status: 'declined' });
    });

    it('deletes a card, also when repeated', async () => {
      const credentials = secretCredentials(bench().credentials);
      const request = { handle: await savedHandle(), mode: 'test' as const, credentials };
      expect(await wallet().forget(request, requestTimeout())).toEqual({ status: 'gone' });
      expect(await wallet().forget(request, requestTimeout())).toEqual({ status: 'gone' });
      expect(await charge({ kind: 'saved', handle: request.handle })).toMatchObject({ status: 'declined' });
    });
  });
}
