/** The steps of connecting a processor, and which one a page is. */

import { processorWords } from './words/processor/index.ts';

const STEPS = ['choose', 'credentials', 'test'] as const;

interface ConnectStepsProps {
  at: (typeof STEPS)[number];
  isLive?: boolean;
  /** The sandbox has none: choosing it is all. Default: true */
  hasCredentials?: boolean;
}

export function ConnectSteps({ at, isLive = false, hasCredentials = true }: ConnectStepsProps) {
  const w = processorWords();
  // Live money is only taken from callers.
  const steps = STEPS.filter((id) => (id !== 'test' || !isLive) && (id !== 'credentials' || hasCredentials));
  return (
    <ol class="connect-steps" aria-label={w.steps}>
      {steps.map((id) => (
        <li key={id} aria-current={id === at ? 'step' : undefined}>
          {w.step[id]}
        </li>
      ))}
    </ol>
  );
}
