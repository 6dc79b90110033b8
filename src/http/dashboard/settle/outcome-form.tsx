/** Manual settlement: the form for the outcome in the processor's dashboard, and the confirmation. */
import { SETTLEABLE, type SettleableKind } from '../../../contract/manual-settlement.ts';
import { Form, GuardedForm } from '../form/form.tsx';
import { Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

/** A charge or refund without a known outcome. */
export interface PendingItem {
  kind: SettleableKind;
  /** The path of its page, within the mode. */
  path: string;
  /** `$42.50`. `Card` if it only saves one. */
  amount: string;
  /** The charge verifies a card and saves it. Its success can't be recorded: only the processor's answer has the card. */
  savesOnly: boolean;
  /** `Visa ···· 4242`. */
  card: string;
  /** The merchant's name. */
  merchant: string;
  processor: string;
  /** The processor's ID, or null. */
  processorId: string | null;
  /** The number for a text, or null. */
  callerPhone: string | null;
}

type Ending = 'succeeded' | 'refused' | 'not_received';

interface EndingWords {
  /** What the processor's dashboard shows. */
  option: string;
  /** In the confirmation, after the amount: "$42.50 was charged to Visa ···· 4242". */
  claim: (card: string) => string;
  /** On the button, after the amount. */
  button: string;
  /** The consequences. */
  consequence: (item: PendingItem) => string;
}

const textTo = (phone: string | null, what: string) =>
  phone === null ? '' : ` ${what} is texted to ${phone} if texts can be sent there.`;

const LOST_CHARGE: EndingWords = {
  option: 'The processor never received the payment',
  claim: (card) => `was never charged to ${card}`,
  button: 'not charged',
  consequence: ({ callerPhone }) =>
    `The charge fails, and your webhook endpoints receive checkout.failed. If the card was charged after all, the caller may pay twice.${textTo(callerPhone, 'A not-charged notice')}`,
};

const NOT_SAVED: EndingWords = {
  option: 'The card was not saved, or its handle is not known here',
  claim: (card) => `was not saved: ${card}`,
  button: 'not saved',
  consequence: ({ callerPhone }) =>
    `The charge fails, no card is saved, and your webhook endpoints receive checkout.failed.${textTo(callerPhone, 'A notice that the card was not saved')}`,
};

const lostRefund = (option: string): EndingWords => ({
  option,
  claim: (card) => `was not refunded to ${card}`,
  button: 'not refunded',
  consequence: () =>
    'The refund fails, your webhook endpoints receive refund.failed, and the charge can be refunded again. If the money was refunded after all, it may be refunded twice.',
});

const ENDINGS: Record<PendingItem['kind'], Partial<Record<Ending, EndingWords>>> = {
  charge: {
    succeeded: {
      option: 'The payment succeeded',
      claim: (card) => `was charged to ${card}`,
      button: 'charged',
      consequence: ({ callerPhone }) =>
        `The checkout is paid, and your webhook endpoints receive checkout.succeeded and checkout.completed.${textTo(callerPhone, 'The receipt')}`,
    },
    not_received: LOST_CHARGE,
  },
  refund: {
    succeeded: {
      option: 'The refund succeeded',
      claim: (card) => `was refunded to ${card}`,
      button: 'refunded',
      consequence: () => 'The refund succeeds, and your webhook endpoints receive refund.succeeded.',
    },
    refused: lostRefund('The processor accepted the refund, but it failed'),
    not_received: lostRefund('The processor never received the refund'),
  },
};

/** The possible outcomes, in the order of the options. A refund with a processor ID was received. */
export function endingsOf({ kind, processorId, savesOnly }: PendingItem): readonly Ending[] {
  const all: readonly Ending[] = SETTLEABLE[kind].outcomes;
  if (savesOnly) return all.filter((ending) => ending !== 'succeeded');
  return kind === 'refund' && processorId !== null ? all.filter((ending) => ending !== 'not_received') : all;
}

function wordsFor({ kind, savesOnly }: PendingItem, ending: Ending): EndingWords {
  if (savesOnly) return NOT_SAVED;
  const found = ENDINGS[kind][ending];
  if (found === undefined) throw new Error(`a ${kind} does not end as ${ending}`);
  return found;
}

/** The page's heading, with the amount, the card and the merchant. */
export function SettleHead({ visit, item }: { visit: Visit; item: PendingItem }) {
  const { kind, path, amount, card, merchant, savesOnly } = item;
  const lead = (
    <>
      {kind === 'charge' ? 'Charge' : 'Refund'} of{' '}
      <a href={visit.base + path}>{savesOnly ? 'no amount, to save a card' : amount}</a>, {card}, <bdi>{merchant}</bdi>
    </>
  );
  return <PageHead title="Settle manually" lead={lead} />;
}

interface EndingFormProps {
  visit: Visit;
  item: PendingItem;
  /** What the user entered, and the error of the processor's ID. */
  entered?: { ending: Ending; processorId: string; fault: string };
}

/** The first step: the outcome. */
export function EndingForm({ visit, item, entered }: EndingFormProps) {
  const { ending: outcome, processorId = item.processorId ?? '', fault = null } = entered ?? {};
  const action = `${item.path}/settle/confirm`;
  return (
    <>
      <Notice title={`Check the ${item.processor} dashboard first`}>
        The processor never reported the outcome of this {item.kind}, and Ringkey no longer checks. Enter only what the
        processor shows. You can’t change it later.
      </Notice>
      <GuardedForm visit={visit} modes="both" action={action} submit="Continue" cancel={item.path}>
        <div>
          <label for="outcome">Outcome at the processor</label>
          <select id="outcome" name="outcome">
            {endingsOf(item).map((ending) => (
              <option key={ending} value={ending} selected={ending === outcome}>
                {wordsFor(item, ending).option}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for="processor_id">Processor’s {SETTLEABLE[item.kind].processorName} ID</label>
          <input
            id="processor_id"
            name="processor_id"
            value={processorId}
            maxlength={255}
            autocomplete="off"
            spellcheck={false}
            aria-describedby="processor-id-hint processor-id-fault"
            aria-invalid={fault === null ? undefined : true}
          />
          <p class="hint" id="processor-id-hint">
            Required only if the payment or refund was made.
          </p>
          <p class="fault" id="processor-id-fault" role={fault === null ? undefined : 'alert'}>
            {fault}
          </p>
        </div>
      </GuardedForm>
    </>
  );
}

interface ConfirmProps {
  visit: Visit;
  item: PendingItem;
  ending: Ending;
  /** Null if the outcome has none. */
  processorId: string | null;
}

/** The second step: the outcome to record, and its consequences. */
export function ConfirmEnding({ visit, item, ending, processorId }: ConfirmProps) {
  const { amount, card, merchant, processor, path } = item;
  const words = wordsFor(item, ending);
  return (
    <Form visit={visit} action={`${path}/settle`} submit={`Settle: ${amount} ${words.button}`} cancel={path} isOnce>
      <Notice tone="wait" title={`${amount} ${words.claim(card)}`}>
        <p>
          Merchant: <bdi>{merchant}</bdi>.{' '}
          {processorId !== null && (
            <>
              {processor} reference: <code>{processorId}</code>.
            </>
          )}
        </p>
        <p>Nothing is sent to the processor: this only records the outcome it shows. You can’t change it later.</p>
        <p>{words.consequence(item)}</p>
      </Notice>
      <input type="hidden" name="outcome" value={ending} />
      <input type="hidden" name="processor_id" value={processorId ?? ''} />
    </Form>
  );
}
