/** Code for the integrator's server that verifies the events of an endpoint. */
import { CodeBlock } from '../../shared/document.tsx';
import { VERIFY_SNIPPETS } from '../../shared/verify-webhook.ts';
import { Block } from '../page/parts.tsx';
import { endpointWords } from './words/index.ts';

export function VerifyCode() {
  const w = endpointWords().verify;
  return (
    <Block title={w.title}>
      <p>
        {w.text} <a href="/docs/events#verify">{w.link}</a>
      </p>
      {VERIFY_SNIPPETS.map(({ language, code }) => (
        <details key={language}>
          <summary>
            <bdi>{language}</bdi>
          </summary>
          <CodeBlock text={code} />
        </details>
      ))}
    </Block>
  );
}
