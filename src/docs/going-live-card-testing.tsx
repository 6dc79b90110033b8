/** Of `/docs/going-live`: the limits against card testing, as the code has them. */
import { MAX_DECLINES_A_SESSION, type ShareRule, VELOCITY, type VelocityRule } from '../payments/velocity.ts';

export const CardTestingSection = () => (
  <>
    <h2 id="card-testing">Card testing</h2>
    <p>
      Failed attempts to pay are counted, and past a limit the processor is not asked: REST answers{' '}
      <code>429 rate_limit</code>, the line says that it cannot take the payment now. An attempt counts from its start
      until it has succeeded.
    </p>
    <ul>
      <li>A session has {MAX_DECLINES_A_SESSION} declines at most, in test mode too.</li>
      <li>A caller's number: {told(VELOCITY.live.caller)}.</li>
      <li>
        A card: {told(VELOCITY.live.card)}. Cards are told apart by a fingerprint (an HMAC under the first of{' '}
        <code>RINGKEY_ENCRYPTION_KEYS</code>), never by their number; a new first key starts the count anew.
      </li>
      <li>The address of a payer on the pay page: {told(VELOCITY.live.origin)}.</li>
      <li>
        Different cards of one caller, paid or not: {VELOCITY.live.callerCards.cards} in{' '}
        {hours(VELOCITY.live.callerCards)}; of one payer's address: {VELOCITY.live.originCards.cards} in{' '}
        {hours(VELOCITY.live.originCards)}.
      </li>
      <li>
        A calling number, of sessions that were opened without one (the tool form):{' '}
        {toldShare(VELOCITY.live.callingNumber)}. A trunk, or an address that sends calls:{' '}
        {toldShare(VELOCITY.live.callSource)}; its calls without a number count by themselves.
      </li>
      <li>
        A merchant: {toldShare(VELOCITY.live.merchant)}. It then takes no keyed cards until the hour has passed; saved
        cards go on.
      </li>
    </ul>
    <p>
      All but the first count in live mode only, and at all merchants of the account. The hashes are forgotten after two
      days. Look for <code>charge refused by the velocity rules</code> in the log.
    </p>
  </>
);

const hours = ({ seconds }: { seconds: number }) => `${seconds / 3_600} h`;

function toldShare({ declines, share, seconds }: ShareRule): string {
  return `${declines} declines in ${hours({ seconds })} that are ${share * 100} % of its attempts`;
}

function told({ attempts, seconds }: VelocityRule): string {
  return `${attempts} failed attempts in ${hours({ seconds })}`;
}
