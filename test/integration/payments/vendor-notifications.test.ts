/** A charge whose answer was lost, and the vendor's notification of it: the whole way, in the real database. */
import { describe, expect, it } from 'vitest';
import type { TestMerchant } from '../../support/test-merchants.ts';
import { NOTIFYING_VENDORS, NotifyingVendors, type Source } from './notifying-vendors.ts';

const vendors = new NotifyingVendors();

/** A charge whose answer is lost, and which is not looked up by itself for an hour. */
async function lostCharge(source: Source, merchant: TestMerchant) {
  source.loseNextCharge();
  const lost = await vendors.charge(source, merchant);
  await vendors.database.query(`update charges set resolve_at = now() + interval '1 hour' where id = $1`, [
    lost.chargeId,
  ]);
  expect(await lost.statuses()).toEqual(['pending']);
  return lost;
}

describe.each(NOTIFYING_VENDORS)('a notification of %s', (vendor) => {
  it('has a charge looked up whose answer was lost, once', async () => {
    const source = vendors.sourceOf(vendor);
    const merchant = await vendors.connected(source);
    const { statuses, chargeId } = await lostCharge(source, merchant);
    await vendors.settle(source);
    expect(await statuses()).toEqual(['pending']);
    const sent = source.settled(chargeId, source.secret);
    expect(await vendors.deliver(source, sent, merchant)).toMatchObject({ status: 'stored' });
    expect(await vendors.deliver(source, sent, merchant)).toMatchObject({ status: 'repeated' });
    await vendors.settle(source);
    expect(await statuses()).toEqual(['succeeded']);
  });

  it('does nothing if it is forged, or signed with the secret of another merchant', async () => {
    const source = vendors.sourceOf(vendor);
    const [merchant, other] = [await vendors.connected(source), await vendors.connected(source, source.otherSecret)];
    const { chargeId } = await lostCharge(source, merchant);
    const sent = source.settled(chargeId, source.secret);
    expect(await vendors.deliver(source, source.forge(sent), merchant)).toEqual({ status: 'unsigned' });
    expect(await vendors.deliver(source, sent, other)).toEqual({ status: 'unsigned' });
    expect(await vendors.deliver(source, source.settled(chargeId, source.otherSecret), merchant)).toEqual({
      status: 'unsigned',
    });
    for (const body of ['', '{}', 'bt_signature=&bt_payload=', 'bt_signature=a|b&bt_payload=%00']) {
      expect(await vendors.deliver(source, { ...sent, body }, merchant)).toEqual({ status: 'unsigned' });
    }
  });

  it('touches no charge of another merchant, whose ID it names', async () => {
    const source = vendors.sourceOf(vendor);
    const [victim, attacker] = [await vendors.connected(source), await vendors.connected(source, source.otherSecret)];
    const { statuses, chargeId } = await lostCharge(source, victim);
    const sent = source.settled(chargeId, source.otherSecret);
    expect(await vendors.deliver(source, sent, attacker)).toMatchObject({ status: 'stored' });
    await vendors.settle(source);
    expect(await statuses()).toEqual(['pending']);
  });

  it('that arrives before our own commit is handled when the charge is there', async () => {
    const source = vendors.sourceOf(vendor);
    const [merchant, other] = [await vendors.connected(source), await vendors.connected(source)];
    const { statuses, chargeId } = await lostCharge(source, merchant);
    // Until the transaction that moves it is over, the row is at another merchant.
    const move = (to: TestMerchant) =>
      vendors.database.query('update charges set merchant_id = $2 where id = $1', [chargeId, to.merchantId]);
    await move(other);
    await vendors.deliver(source, source.settled(chargeId, source.secret), merchant);
    await vendors.settle(source);
    expect(await vendors.isOpen(merchant)).toBe(true);
    await move(merchant);
    await vendors.settleAgain(source);
    expect(await statuses()).toEqual(['succeeded']);
    // What became of the payment is read once the charge has its outcome.
    await vendors.settleAgain(source);
    expect(await vendors.isOpen(merchant)).toBe(false);
  });
});
