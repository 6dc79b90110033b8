/** A block of code, as it stands. What scrolls has to be reached by the keyboard (WCAG 2.1.1). */
export const CodeBlock = ({ text }: { text: string }) => (
  <pre tabindex={0}>
    <code>{text}</code>
  </pre>
);
