/** `/docs/test-cards`: the sandbox's test cards, from the table that the sandbox uses. */
import { type ActionEnd, type Behaviour, TEST_CARDS, type TestCard } from '../payments/sandbox/cards.ts';
import { Table } from './layout.tsx';

/** The result of a charge with the card. */
export function resultOf({ behaviour }: TestCard): string {
  return RESULTS[behaviour.kind](behaviour as never);
}

type Result = { [K in Behaviour['kind']]: (behaviour: Extract<Behaviour, { kind: K }>) => string };

const ENDS: Readonly<Record<ActionEnd, string>> = {
  approved: 'succeeded',
  declined: 'card_declined, generic_decline',
  refused: 'card_declined, authentication_required',
  abandoned: 'pending, then failed',
};

const RESULTS: Result = {
  approves: () => 'succeeded',
  slow: () => 'succeeded',
  declines: ({ code }) => `card_declined, ${code}`,
  checks: ({ code }) => `card_declined, ${code}`,
  hangs: ({ taken }) => `processor_unavailable, then ${taken ? 'succeeded' : 'failed'}`,
  asks: ({ ends }) => `card_declined, authentication_required; on the pay page ${ENDS[ends]}`,
  breaks: ({ code }) => `processor_unavailable, then ${code === null ? 'succeeded' : 'failed'}`,
};

export const TestCardsPage = () => (
  <>
    <h1>Test cards</h1>
    <p class="lead">In test mode no money moves, and the card says what happens.</p>
    <p>
      Key any of them with a month to come and, unless the table says otherwise, any security code (three digits, four
      for American Express) and any postal code. They are nobody's; any other number is refused in test mode.
    </p>
    <p>
      To save one over REST, send its token to{' '}
      <a href="/docs#save_card">
        <code>POST /v1/cards</code>
      </a>
      . A saved card was checked when it was saved: one that is in doubt until a field is keyed right is approved by{' '}
      <code>charge</code>.
    </p>
    <Table
      head={['Number', 'What happens', 'Result', 'Token']}
      rows={TEST_CARDS.map((card) => [
        <code>{spaced(card.number)}</code>,
        card.about,
        resultOf(card),
        <code>tok_{card.name}</code>,
      ])}
    />
    <p>
      Some banks ask a payer to confirm (3-D Secure). Only the pay page can show what they ask for: there the charge is{' '}
      <code>pending</code> for ten minutes at most, without an event, until the payer is done. On a call and over REST
      such a card declines as <code>authentication_required</code>.
    </p>
    <p>
      A caller's first try can be played without a phone: <code>npm run call -- --card 4000000000009995</code> keys it
      for you.
    </p>
  </>
);

/** As it is printed on a card. */
function spaced(number: string): string {
  const groups = number.length === 15 ? /^(\d{4})(\d{6})(\d{5})$/ : /^(\d{4})(\d{4})(\d{4})(\d{4})$/;
  return groups.exec(number)?.slice(1).join(' ') ?? number;
}
