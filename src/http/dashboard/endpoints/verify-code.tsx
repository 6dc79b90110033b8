/** Code for the integrator's server that verifies the events of an endpoint. */
import { CodeBlock } from '../../shared/document.tsx';
import { VERIFY_SNIPPETS } from '../../shared/verify-webhook.ts';
import { Block } from '../page/parts.tsx';

export function VerifyCode() {
  return (
    <Block title="Verify signatures">
      <p>
        Your server checks the signature of each event with the signing secret of this endpoint.{' '}
        <a href="/docs/events#verify">How signatures work</a>
      </p>
      {VERIFY_SNIPPETS.map(({ language, code }) => (
        <details key={language}>
          <summary>{language}</summary>
          <CodeBlock text={code} />
        </details>
      ))}
    </Block>
  );
}
