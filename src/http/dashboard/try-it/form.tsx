/** The form of a test call: merchant, what the caller does, card, amount. */
import { TEST_CARDS } from '../../../payments/sandbox/cards.ts';
import { API_CALL_FORM } from '../form/api-call.tsx';
import { SEARCHES_MERCHANTS } from '../form/merchants.tsx';
import { maySend, RoleNote } from '../form/roles.tsx';
import { type MerchantPicker, MerchantSearchField } from '../list/merchant-picker.tsx';
import { listWords } from '../list/words/index.ts';
import { ATTEMPT_FIELD } from '../page/attempts.ts';
import { Icon } from '../page/icons.tsx';
import { EmptyState, Notice } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { FORM_TOKEN_FIELD } from '../sign-in/form-token.ts';
import { language } from '../words/language.ts';
import type { FormFaults, TestCallForm } from './order.ts';
import { SCRIPT_GROUPS, type ScriptName } from './scripts.ts';
import { cardValue, limitsOf, type TriedProcessor, vendorTitle } from './vendors.ts';
import { tryWords } from './words/index.ts';

interface TryItFormProps {
  visit: Visit;
  picker: MerchantPicker;
  /** Their processors that belong to vendors. */
  vendors: readonly TriedProcessor[];
  form: TestCallForm;
  faults: FormFaults;
}

export function TryItForm({ visit, picker, vendors, form, faults }: TryItFormProps) {
  const { form: w, groups } = tryWords();
  if (!maySend(visit, '/try')) return <RoleNote action="/try" />;
  return (
    <>
      {faults.form !== undefined && (
        <Notice tone="bad" title={w.notPlaced}>
          {faults.form}
        </Notice>
      )}
      <form class="try-form" id={API_CALL_FORM} method="post" action={`${visit.base}/try`} data-once>
        <input type="hidden" name={FORM_TOKEN_FIELD} value={visit.csrf} />
        <input type="hidden" name={ATTEMPT_FIELD} value={visit.attempt} />
        <fieldset class="scripts">
          <legend>{w.script}</legend>
          {SCRIPT_GROUPS.map(([group, scripts]) => (
            <fieldset key={group}>
              <legend class="quiet">{groups[group]}</legend>
              <div class="choices">
                {(Object.keys(scripts) as ScriptName[]).map((name) => (
                  <ScriptChoice key={name} name={name} isChosen={form.script === name} />
                ))}
              </div>
            </fieldset>
          ))}
          <Fault text={faults.script} of="script" />
        </fieldset>
        <div class="try-side">
          {picker.search !== null && (
            <>
              <MerchantSearchField picker={picker} />
              <div class="actions">
                <button type="submit" name={SEARCHES_MERCHANTS} value="on" formnovalidate>
                  {listWords().find}
                </button>
              </div>
            </>
          )}
          <MerchantChoice picker={picker} chosen={form.merchant} fault={faults.merchant} />
          <CardChoice vendors={vendors} chosen={form.card} fault={faults.card} />
          <div class="field">
            <label for="amount">{w.amount}</label>
            <input
              id="amount"
              name="amount"
              inputmode="decimal"
              autocomplete="off"
              value={form.amount}
              {...invalid('amount', faults.amount)}
            />
            <Fault text={faults.amount} of="amount" />
          </div>
          <button type="submit" class="first big">
            <Icon name="phone" size={20} /> {w.place}
          </button>
          <p class="hint">{w.hint}</p>
          {vendors.map((vendor) => (
            <VendorNotes key={vendor.name} vendor={vendor} />
          ))}
        </div>
      </form>
    </>
  );
}

function ScriptChoice({ name, isChosen }: { name: ScriptName; isChosen: boolean }) {
  const script = tryWords().scripts[name];
  return (
    <label class="choice">
      <input type="radio" name="script" value={name} checked={isChosen} required />
      <span>
        <strong>{script.title}</strong>
        <span class="quiet small">{script.about}</span>
      </span>
    </label>
  );
}

function MerchantChoice(props: { picker: MerchantPicker; chosen: string; fault: string | undefined }) {
  const { picker, chosen, fault } = props;
  const w = tryWords().form;
  const labels = new Map(picker.choices);
  return (
    <div class="field">
      <label for="merchant">{w.merchant}</label>
      <select id="merchant" name="merchant" required {...invalid('merchant', fault)}>
        {picker.merchants.map(({ id, processor }) => (
          <option key={id} value={id} selected={id === chosen}>
            {labels.get(id)} ({processor ?? w.noProcessor})
          </option>
        ))}
      </select>
      <Fault text={fault} of="merchant" />
    </div>
  );
}

interface CardChoiceProps {
  vendors: readonly TriedProcessor[];
  chosen: string;
  fault: string | undefined;
}

function CardChoice({ vendors, chosen, fault }: CardChoiceProps) {
  const w = tryWords().form;
  const sandbox = TEST_CARDS.map(({ name, ...card }) => (
    <CardOption key={name} value={name} chosen={chosen} {...card} />
  ));
  return (
    <div class="field">
      <label for="card">{w.card}</label>
      <select id="card" name="card" aria-describedby="card-hint" {...(fault !== undefined && { 'aria-invalid': true })}>
        <option value="">{w.defaultCard}</option>
        {vendors.length === 0 ? sandbox : <optgroup label="Sandbox">{sandbox}</optgroup>}
        {vendors.map((vendor) => (
          <optgroup key={vendor.name} label={vendorTitle(vendor)}>
            {vendor.testData?.cards.map((card) => (
              <CardOption key={card.name} value={cardValue(vendor, card)} chosen={chosen} {...card} />
            ))}
          </optgroup>
        ))}
      </select>
      <p class="hint" id="card-hint">
        {w.cardHint((text) => (
          <a href="/docs/test-cards">{text}</a>
        ))}
      </p>
      <Fault text={fault} of="card" />
    </div>
  );
}

interface CardOptionProps {
  value: string;
  chosen: string;
  number: string;
  about: string;
}

/** What is written about the cards is English, as in the docs. */
const CardOption = ({ value, chosen, number, about }: CardOptionProps) => (
  <option value={value} selected={value === chosen} lang={language() === 'en' ? undefined : 'en'}>
    … {number.slice(-4)}: {about}
  </option>
);

/** What the vendor's test environment cannot do. */
function VendorNotes({ vendor }: { vendor: TriedProcessor }) {
  const w = tryWords().form;
  return (
    <section class="block" data-vendor={vendor.name}>
      <h2>{w.at(vendorTitle(vendor))}</h2>
      <ul class="small">
        {limitsOf(vendor).map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      <p class="hint">
        <a href={`/docs/processors#${vendor.name}`}>{w.cardsOf(vendorTitle(vendor))}</a>
      </p>
    </section>
  );
}

const invalid = (field: string, fault: string | undefined) =>
  fault === undefined ? {} : ({ 'aria-invalid': true, 'aria-describedby': `${field}-fault` } as const);

function Fault({ text, of }: { text: string | undefined; of: string }) {
  return text === undefined ? null : (
    <p class="fault" id={`${of}-fault`} role="alert">
      {text}
    </p>
  );
}

/** Why no test call can be placed. */
export function NoTestCalls({ visit, why }: { visit: Visit; why: 'live' | 'unavailable' | 'no_merchant' }) {
  const w = tryWords().none;
  if (why === 'live') {
    return (
      <EmptyState
        icon="play"
        title={w.live.title}
        text={w.live.text}
        action={
          <a class="button first" href="/dashboard/test/try">
            {w.live.action}
          </a>
        }
      />
    );
  }
  if (why === 'no_merchant') {
    return (
      <EmptyState
        icon="play"
        title={w.noMerchant.title}
        text={w.noMerchant.text}
        action={
          visit.knownPaths.has('/setup') && (
            <a class="button first" href={`${visit.base}/setup`}>
              {w.noMerchant.action}
            </a>
          )
        }
      />
    );
  }
  return (
    <EmptyState icon="play" title={w.unavailable.title} text={w.unavailable.text(<code>RINGKEY_TEST_CALLS=on</code>)} />
  );
}
