/** `/docs/test-cards`: the sandbox's cards, from the sandbox's own table. */
import { TEST_CARDS } from '../payments/sandbox/cards.ts';
import { html } from './html.ts';
import { type Page, table } from './layout.ts';

export const testCardsPage = (): Page => ({
  path: '/docs/test-cards',
  title: 'Test cards',
  body: html`<h1>Test cards</h1>
<p class="lead">In test mode no money moves, and the card says what happens.</p>
<p>Key any of them with a month to come and, unless the table says otherwise, any security code. They are nobody's; any other number is refused in test
mode. To save one over REST, send its token to <code>POST /v1/cards</code>.</p>
${table(
  ['Number', 'What happens', 'Token'],
  TEST_CARDS.map(({ number, about, name }) => [
    html`<code>${spaced(number)}</code>`,
    html`${about}`,
    html`<code>tok_${name}</code>`,
  ]),
)}`,
});

/** As it is printed on a card. */
function spaced(number: string): string {
  const groups = number.length === 15 ? /^(\d{4})(\d{6})(\d{5})$/ : /^(\d{4})(\d{4})(\d{4})(\d{4})$/;
  return number.replace(groups, (_, ...parts: string[]) =>
    parts
      .filter((part) => /^\d{4,6}$/.test(part))
      .slice(0, 4)
      .join(' '),
  );
}
