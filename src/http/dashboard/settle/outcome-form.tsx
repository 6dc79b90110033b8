/** Manual settlement: the form for the outcome in the processor's dashboard, and the confirmation. */
import { SETTLEABLE, type SettleableKind } from '../../../contract/manual-settlement.ts';
import { Form, GuardedForm } from '../form/form.tsx';
import { Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { settleWords } from './words/index.ts';

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
export type SettledKind = SettleableKind;

interface WordsOfEnding {
  /** What the processor's dashboard shows. */
  option: string;
  /** Of the confirmation: "$42.50 was charged to Visa ···· 4242". */
  title: (amount: string, card: string) => string;
  /** On the button: "Settle: $42.50 charged". */
  submit: (amount: string) => string;
  /** The consequences. @param phone the number for a text, or null */
  consequence: (phone: string | null) => string;
}

/** `saving`: of a charge that only saves a card. */
export type EndingWords = Readonly<Record<SettleableKind | 'saving', Partial<Record<Ending, WordsOfEnding>>>>;

/** The possible outcomes, in the order of the options. A refund with a processor ID was received. */
export function endingsOf({ kind, processorId, savesOnly }: PendingItem): readonly Ending[] {
  const all: readonly Ending[] = SETTLEABLE[kind].outcomes;
  if (savesOnly) return all.filter((ending) => ending !== 'succeeded');
  return kind === 'refund' && processorId !== null ? all.filter((ending) => ending !== 'not_received') : all;
}

function wordsFor({ kind, savesOnly }: PendingItem, ending: Ending): WordsOfEnding {
  const found = settleWords().endings[savesOnly ? 'saving' : kind][ending];
  if (found === undefined) throw new Error(`a ${kind} does not end as ${ending}`);
  return found;
}

/** The page's heading, with the amount, the card and the merchant. */
export function SettleHead({ visit, item }: { visit: Visit; item: PendingItem }) {
  const { kind, path, amount, card, merchant, savesOnly } = item;
  const w = settleWords();
  const link = <a href={visit.base + path}>{savesOnly ? w.savesOnly : amount}</a>;
  return <PageHead title={w.title} lead={w.leads[kind](link, card, <bdi>{merchant}</bdi>)} />;
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
  const w = settleWords();
  return (
    <>
      <Notice title={w.checkFirst(item.processor)}>{w.checkText[item.kind]}</Notice>
      <GuardedForm visit={visit} modes="both" action={action} submit={w.next} cancel={item.path}>
        <div>
          <label for="outcome">{w.outcome}</label>
          <select id="outcome" name="outcome">
            {endingsOf(item).map((ending) => (
              <option key={ending} value={ending} selected={ending === outcome}>
                {wordsFor(item, ending).option}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for="processor_id">{w.processorId[item.kind]}</label>
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
            {w.idHint}
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
  const w = settleWords();
  return (
    <Form visit={visit} action={`${path}/settle`} submit={words.submit(amount)} cancel={path} isOnce>
      <Notice tone="wait" title={words.title(amount, card)}>
        <p>
          {w.merchant(<bdi>{merchant}</bdi>)}{' '}
          {processorId !== null && w.reference(processor, <code>{processorId}</code>)}
        </p>
        <p>{w.onlyRecords}</p>
        <p>{words.consequence(item.callerPhone)}</p>
      </Notice>
      <input type="hidden" name="outcome" value={ending} />
      <input type="hidden" name="processor_id" value={processorId ?? ''} />
    </Form>
  );
}
