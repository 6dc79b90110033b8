/** The steps of connecting a processor, and which one a page is. */

const STEPS = [
  ['choose', 'Choose the processor'],
  ['credentials', 'Enter its credentials'],
  ['test', 'Make a test charge'],
] as const;

export function ConnectSteps({ at, isLive = false }: { at: (typeof STEPS)[number][0]; isLive?: boolean }) {
  // Live money is only taken from callers.
  const steps = STEPS.filter(([id]) => id !== 'test' || !isLive);
  return (
    <ol class="connect-steps" aria-label="Steps">
      {steps.map(([id, title]) => (
        <li key={id} aria-current={id === at ? 'step' : undefined}>
          {title}
        </li>
      ))}
    </ol>
  );
}
