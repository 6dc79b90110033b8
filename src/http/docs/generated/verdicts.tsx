/** What the agent says for each verdict, and what it does then: a table of the page of voice platforms. */
import { checkoutLine, type WaysToPay } from '../../../contract/agent-lines.ts';
import type { Verdict } from '../../../domain/session.ts';
import { exampleMerchant } from '../examples.ts';
import { Table } from '../markdown.tsx';

type Means = 'cards' | 'no_keypad' | 'link' | 'neither';

/** Verdict, what the caller can pay with, and what the agent does once it is said. */
const VERDICTS: readonly (readonly [Verdict, Means, string])[] = [
  [
    'required',
    'cards',
    'Say it, then transfer to `transfer_to`. The line also offers the saved cards with 1 on the keypad. Or charge the card that the caller chooses before the transfer: `charge`.',
  ],
  [
    'required',
    'no_keypad',
    'Say it, then transfer to `transfer_to`. The line texts the caller the pay link and stays on the call.',
  ],
  [
    'optional',
    'cards',
    'Say it. To pay now: `charge` the chosen card, or `send_link`. To pay later: continue the conversation.',
  ],
  ['optional', 'link', 'Say it. To pay now: `send_link`. To pay later: continue the conversation.'],
  ['optional', 'neither', 'Say it, and continue the conversation.'],
  ['none', 'neither', 'Say it, and continue the conversation. Do not mention payment.'],
];

const MEANS = {
  cards: 'with cards',
  no_keypad: 'with a processor that accepts no keyed cards',
  link: 'no cards',
  neither: 'no cards, and no text can be sent',
} as const;

function waysOf(means: Means): WaysToPay {
  return { takesKeypad: means !== 'no_keypad', hasCards: means === 'cards', canText: means !== 'neither' };
}

export const Verdicts = () => (
  <Table
    head={['Verdict', 'agent_message', 'Then']}
    rows={VERDICTS.map(([verdict, means, then]) => [
      <>
        <code>{verdict}</code>
        {verdict === 'optional' || means === 'no_keypad' ? `, ${MEANS[means]}` : ''}
      </>,
      `“${checkoutLine(exampleMerchant, verdict, waysOf(means))}”`,
      then,
    ])}
  />
);
