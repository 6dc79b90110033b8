/** The transcript of a test call: speech, keys, and the exchange between the line and the agent's side. */

import { Icon } from '../page/icons.tsx';
import { sentence } from '../page/parts.tsx';
import type { TestCall, TestCallStep } from './ports.ts';
import { shownAddress } from './snippet.ts';

const WHO: Readonly<Record<TestCallStep['kind'], string>> = {
  said: 'Line',
  keyed: 'Caller',
  agent: 'Agent',
  page: 'Pay page',
  sip: 'SIP',
  silence: '',
  note: '',
};

/** In chronological order. */
export function TestCallSteps({ call: { steps, checkout } }: { call: TestCall }) {
  const shown = steps.toSorted((one, other) => one.atMs - other.atMs);
  return (
    <ol class="transcript" aria-label="Steps of the call">
      <li class="agent">
        <span class="at" />
        <span class="who">Agent</span>
        <span class="what">
          Says “<bdi>{checkout.agentMessage}</bdi>” and transfers the call to{' '}
          <code>{shownAddress(checkout.transferTo)}</code>
        </span>
      </li>
      {shown.map((step, at) => (
        <li key={at} class={step.kind}>
          <span class="at number">{(step.atMs / 1_000).toFixed(1)} s</span>
          <span class="who">{WHO[step.kind]}</span>
          <span class="what">{stepText(step)}</span>
        </li>
      ))}
    </ol>
  );
}

function stepText({ kind, text, forMs, complete }: TestCallStep) {
  switch (kind) {
    case 'said':
      if (text.startsWith('(')) return <span class="quiet">{sentence(text.slice(1, -1))}</span>;
      return (
        <>
          “<bdi>{text}</bdi>”{!complete && <span class="quiet"> (cut short)</span>}
        </>
      );
    case 'keyed':
      return (
        <>
          <Icon name="keypad" />{' '}
          <span class="keys" aria-hidden="true">
            {text}
          </span>
          <span class="unseen">{keysInWords(text)}</span>
        </>
      );
    case 'silence':
      return <span class="quiet">{((forMs ?? 0) / 1_000).toFixed(1)} s of silence</span>;
    case 'sip':
      return <code>{text}</code>;
    case 'agent':
      // The headers are listed separately.
      return sentence(text.split('\n', 1)[0] ?? '');
    default:
      return sentence(text);
  }
}

/** For screen readers, which would read each dot. */
function keysInWords(text: string): string {
  const dots = text.split('•').length - 1;
  const rest = text.replaceAll('•', '').trim();
  if (dots === 0) return `presses ${rest}`;
  return /^\d{4}$/.test(rest) ? `enters a card number ending in ${rest}` : `enters ${dots} digits ${rest}`.trim();
}
