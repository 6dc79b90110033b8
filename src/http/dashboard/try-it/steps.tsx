/** The transcript of a test call: speech, keys, and the exchange between the line and the agent's side. */

import { InEnglish } from '../page/english.tsx';
import { Icon } from '../page/icons.tsx';
import { sentence } from '../page/parts.tsx';
import { decimalText } from '../words/formats.ts';
import type { TestCall, TestCallStep } from './ports.ts';
import { shownAddress } from './snippet.ts';
import { tryWords } from './words/index.ts';

/** In chronological order. */
export function TestCallSteps({ call: { steps, checkout } }: { call: TestCall }) {
  const shown = steps.toSorted((one, other) => one.atMs - other.atMs);
  const w = tryWords().steps;
  return (
    <ol class="transcript" aria-label={w.label}>
      <li class="agent">
        <span class="at" />
        <span class="who">{w.who.agent}</span>
        <span class="what">
          {w.transfers(<bdi>{checkout.agentMessage}</bdi>, <code>{shownAddress(checkout.transferTo)}</code>)}
        </span>
      </li>
      {shown.map((step, at) => (
        <li key={at} class={step.kind}>
          <span class="at number">{decimalText(step.atMs / 1_000, 1)} s</span>
          <span class="who">{w.who[step.kind]}</span>
          <span class="what">{stepText(step)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The caller's program reports its notes in English. */
function stepText({ kind, text, forMs, complete }: TestCallStep) {
  const w = tryWords().steps;
  switch (kind) {
    case 'said':
      if (text.startsWith('('))
        return (
          <span class="quiet">
            <InEnglish text={sentence(text.slice(1, -1))} />
          </span>
        );
      return (
        <>
          {w.quoted(<bdi>{text}</bdi>)}
          {!complete && <span class="quiet"> {w.cutShort}</span>}
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
      return <span class="quiet">{w.silence(decimalText((forMs ?? 0) / 1_000, 1))}</span>;
    case 'sip':
      return <code>{text}</code>;
    case 'agent':
      // The headers are listed separately.
      return <InEnglish text={sentence(text.split('\n', 1)[0] ?? '')} />;
    default:
      return <InEnglish text={sentence(text)} />;
  }
}

/** For screen readers, which would read each dot. */
function keysInWords(text: string): string {
  const dots = text.split('•').length - 1;
  const rest = text.replaceAll('•', '').trim();
  const w = tryWords().steps;
  if (dots === 0) return w.presses(rest);
  return /^\d{4}$/.test(rest) ? w.entersCard(rest) : w.entersDigits(dots, rest);
}
