/** The form of a test call: merchant, what the caller does, card, amount. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import { TEST_CARDS } from '../../../payments/sandbox/cards.ts';
import { API_CALL_FORM } from '../form/api-call.tsx';
import { ATTEMPT_FIELD } from '../page/attempts.ts';
import { Icon } from '../page/icons.tsx';
import { EmptyState, Notice } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { FORM_TOKEN_FIELD } from '../sign-in/form-token.ts';
import type { FormFaults, TestCallForm } from './order.ts';
import { SCRIPT_GROUPS, type TestScript } from './scripts.ts';
import { cardValue, limitsOf, type TriedProcessor, vendorTitle } from './vendors.ts';

interface TryItFormProps {
  visit: Visit;
  merchants: readonly MerchantResource[];
  /** Their processors that belong to vendors. */
  vendors: readonly TriedProcessor[];
  form: TestCallForm;
  faults: FormFaults;
}

export function TryItForm({ visit, merchants, vendors, form, faults }: TryItFormProps) {
  return (
    <>
      {faults.form !== undefined && (
        <Notice tone="bad" title="The call was not placed">
          {faults.form}
        </Notice>
      )}
      <form class="try-form" id={API_CALL_FORM} method="post" action={`${visit.base}/try`} data-once>
        <input type="hidden" name={FORM_TOKEN_FIELD} value={visit.csrf} />
        <input type="hidden" name={ATTEMPT_FIELD} value={visit.attempt} />
        <fieldset class="scripts">
          <legend>What the caller does</legend>
          {SCRIPT_GROUPS.map(([title, scripts]) => (
            <fieldset key={title}>
              <legend class="quiet">{title}</legend>
              <div class="choices">
                {Object.entries(scripts).map(([name, script]) => (
                  <ScriptChoice key={name} name={name} script={script} isChosen={form.script === name} />
                ))}
              </div>
            </fieldset>
          ))}
          <Fault text={faults.script} of="script" />
        </fieldset>
        <div class="try-side">
          <MerchantChoice merchants={merchants} chosen={form.merchant} fault={faults.merchant} />
          <CardChoice vendors={vendors} chosen={form.card} fault={faults.card} />
          <div class="field">
            <label for="amount">Amount</label>
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
            <Icon name="phone" size={20} /> Place the call
          </button>
          <p class="hint">
            A scripted caller dials, listens and presses keys like a person. You need no phone, and no real money moves.
          </p>
          {vendors.map((vendor) => (
            <VendorNotes key={vendor.name} vendor={vendor} />
          ))}
        </div>
      </form>
    </>
  );
}

function ScriptChoice({ name, script, isChosen }: { name: string; script: TestScript; isChosen: boolean }) {
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

function MerchantChoice(props: { merchants: readonly MerchantResource[]; chosen: string; fault: string | undefined }) {
  const { merchants, chosen, fault } = props;
  return (
    <div class="field">
      <label for="merchant">Merchant</label>
      <select id="merchant" name="merchant" required {...invalid('merchant', fault)}>
        {merchants.map(({ merchant_id: id, business_name: name, processor }) => (
          <option key={id} value={id} selected={id === chosen}>
            {name} ({processor ?? 'no processor'})
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
  const sandbox = TEST_CARDS.map(({ name, ...card }) => (
    <CardOption key={name} value={name} chosen={chosen} {...card} />
  ));
  return (
    <div class="field">
      <label for="card">Card</label>
      <select id="card" name="card" aria-describedby="card-hint" {...(fault !== undefined && { 'aria-invalid': true })}>
        <option value="">Default for the script</option>
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
        <a href="/docs/test-cards">Test cards</a> of the merchant’s processor. Some scripts always use their own card.
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

const CardOption = ({ value, chosen, number, about }: CardOptionProps) => (
  <option value={value} selected={value === chosen}>
    … {number.slice(-4)}: {about}
  </option>
);

/** What the vendor's test environment cannot do. */
function VendorNotes({ vendor }: { vendor: TriedProcessor }) {
  return (
    <section class="block" data-vendor={vendor.name}>
      <h2>At {vendorTitle(vendor)}</h2>
      <ul class="small">
        {limitsOf(vendor).map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      <p class="hint">
        <a href={`/docs/processors#${vendor.name}`}>Test cards of {vendorTitle(vendor)}</a>
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
  if (why === 'live') {
    return (
      <EmptyState
        icon="play"
        title="Test calls are only available in test mode"
        text="Test calls use test cards, which live mode rejects."
        action={
          <a class="button first" href="/dashboard/test/try">
            Try it in test mode
          </a>
        }
      />
    );
  }
  if (why === 'no_merchant') {
    return (
      <EmptyState
        icon="play"
        title="A test call needs a merchant"
        text="Create a merchant in test mode and connect it to the sandbox."
        action={
          visit.knownPaths.has('/setup') && (
            <a class="button first" href={`${visit.base}/setup`}>
              Settings
            </a>
          )
        }
      />
    );
  }
  return (
    <EmptyState
      icon="play"
      title="Test calls are not available"
      text={
        <>
          This service uses its own SIP server, which the scripted caller may not be able to reach. If it can, set{' '}
          <code>RINGKEY_TEST_CALLS=on</code>. You can also dial any checkout’s transfer_to with your own phone.
        </>
      }
    />
  );
}
