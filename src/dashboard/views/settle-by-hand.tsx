/** Settling by hand: the form that asks what the processor's books say, and the confirmation that says what it does. */
import type { ComponentChildren } from 'preact';
import type { Visit } from '../visit.ts';
import { searchOf } from './filters.tsx';
import { Form } from './form.tsx';
import { Notice } from './parts.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** A charge or a refund that stayed pending. */
export interface PendingThing {
  kind: 'charge' | 'refund';
  /** Of its page, within the mode. */
  path: string;
  /** `$42.50`. */
  amount: string;
  /** `Visa ···· 4242`. */
  card: string;
  /** The merchant's name. */
  merchant: string;
  processor: string;
  /** What the processor called it; null: it never has. */
  processorId: string | null;
  /** Who may be texted; null: nobody. */
  callerPhone: string | null;
}

export type Ending = 'succeeded' | 'refused' | 'not_received';

interface EndingWords {
  /** In the choice: what the books say. */
  books: string;
  /** In the confirmation, behind the amount: "$42.50 was taken from Visa ···· 4242". */
  claim: (card: string) => string;
  /** On the button, behind the amount. */
  button: string;
  /** What follows from it, in our books and for others. */
  follows: (thing: PendingThing) => string;
}

const textTo = (phone: string | null, what: string) =>
  phone === null ? '' : ` ${what} is texted to ${phone}, where a text can go out.`;

const LOST_CHARGE: EndingWords = {
  books: 'It knows nothing of the payment, and never will',
  claim: (card) => `was never taken from ${card}`,
  button: 'was never taken',
  follows: ({ callerPhone }) =>
    `The charge fails, and webhook endpoints are sent checkout.failed. If the money was taken after all, somebody may pay twice.${textTo(callerPhone, 'That nothing was taken')}`,
};

const lostRefund = (books: string): EndingWords => ({
  books,
  claim: (card) => `did not go back to ${card}`,
  button: 'did not go back',
  follows: () =>
    'The refund fails, webhook endpoints are sent refund.failed, and the money can be given back once more. If it did go back, it then goes back twice.',
});

const ENDINGS: Record<PendingThing['kind'], Partial<Record<Ending, EndingWords>>> = {
  charge: {
    succeeded: {
      books: 'It took the money',
      claim: (card) => `was taken from ${card}`,
      button: 'was taken',
      follows: ({ callerPhone }) =>
        `The checkout is paid, and webhook endpoints are sent checkout.succeeded and checkout.completed.${textTo(callerPhone, 'The receipt')}`,
    },
    not_received: LOST_CHARGE,
  },
  refund: {
    succeeded: {
      books: 'The money went back',
      claim: (card) => `went back to ${card}`,
      button: 'went back',
      follows: () => 'The refund is made, and webhook endpoints are sent refund.succeeded.',
    },
    refused: lostRefund('It accepted the refund, but no money went back'),
    not_received: lostRefund('It knows nothing of the refund, and never will'),
  },
};

/** The endings that a thing can have, in the order of the choice; one that the processor has named was received. */
export function endingsOf({ kind, processorId }: PendingThing): Ending[] {
  const all = Object.keys(ENDINGS[kind]) as Ending[];
  return kind === 'refund' && processorId !== null ? all.filter((ending) => ending !== 'not_received') : all;
}

function wordsFor({ kind }: PendingThing, ending: Ending): EndingWords {
  const found = ENDINGS[kind][ending];
  if (found === undefined) throw new Error(`a ${kind} does not end as ${ending}`);
  return found;
}

/** The page's heading, with the amount, the card and the merchant. */
export function SettleHead({
  visit,
  thing,
  children,
}: {
  visit: Visit;
  thing: PendingThing;
  children: ComponentChildren;
}) {
  const { kind, path, amount, card, merchant } = thing;
  return (
    <>
      <div class="head">
        <div>
          <h1>Settle by hand</h1>
          <p class="lead">
            A {kind} of <a href={visit.base + path}>{amount}</a>, {card}, at <bdi>{merchant}</bdi>
          </p>
        </div>
      </div>
      {children}
    </>
  );
}

interface AskedProps {
  visit: Visit;
  thing: PendingThing;
  /** What is wrong with the processor's id; null: nothing. */
  fault: string | null;
}

/** The first step, by GET: what the books say. */
export function EndingForm({ visit, thing, fault }: AskedProps) {
  const { outcome, processor_id = thing.processorId ?? '' } = visit.query;
  const name = thing.kind === 'charge' ? 'payment' : 'refund';
  return (
    <form class="form" method="get" action={visit.path}>
      <Notice title={`Look in the books of ${thing.processor} first`}>
        The processor never said how this {thing.kind} ended, and is not asked any more. Only what its books say may be
        written here, and it is final.
      </Notice>
      <div>
        <label for="outcome">What the processor’s books say</label>
        <select id="outcome" name="outcome">
          {endingsOf(thing).map((ending) => (
            <option key={ending} value={ending} selected={ending === outcome}>
              {wordsFor(thing, ending).books}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="processor_id">What the processor calls the {name}</label>
        <input
          id="processor_id"
          name="processor_id"
          value={processor_id}
          maxlength={255}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="processor-id-hint processor-id-fault"
          aria-invalid={fault === null ? undefined : true}
        />
        <p class="hint" id="processor-id-hint">
          Its id there. Only where the money moved.
        </p>
        <p class="fault" id="processor-id-fault" role={fault === null ? undefined : 'alert'}>
          {fault}
        </p>
      </div>
      <div class="actions">
        <button type="submit" class="first">
          Continue
        </button>
        <a class="button" href={visit.base + thing.path}>
          Cancel
        </a>
      </div>
    </form>
  );
}

interface ConfirmProps {
  visit: Visit;
  thing: PendingThing;
  ending: Ending;
  /** Null where the ending has none. */
  processorId: string | null;
}

/** The second step: what is about to be written, and what follows from it. */
export function ConfirmEnding({ visit, thing, ending, processorId }: ConfirmProps) {
  const { amount, card, merchant, processor, path } = thing;
  const words = wordsFor(thing, ending);
  const confirmation = (
    <Notice tone="wait" title={`${amount} ${words.claim(card)}`}>
      <p>
        Merchant: <bdi>{merchant}</bdi>.{' '}
        {processorId !== null && (
          <>
            In the books of {processor}: <code>{processorId}</code>.
          </>
        )}
      </p>
      <p>Nothing is sent to the processor: this writes down what its books say. Look there first, for it is final.</p>
      <p>{words.follows(thing)}</p>
    </Notice>
  );
  if (!visit.user.isRecent) {
    const here = { ...visit, path: visit.path + searchOf(visit.query) };
    return (
      <div class="form">
        {confirmation}
        <SignInAgain visit={here} what="settling it" />
      </div>
    );
  }
  return (
    <Form visit={visit} action={`${path}/settle`} submit={`Settle: ${amount} ${words.button}`} cancel={path} isOnce>
      {confirmation}
      <input type="hidden" name="outcome" value={ending} />
      <input type="hidden" name="processor_id" value={processorId ?? ''} />
    </Form>
  );
}
