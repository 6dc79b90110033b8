/**
 * `/`: what this service is, where its dashboard and documentation are, and a first request; in a demo also the texts
 * that it sends.
 */

import { type CurlPlace, curlOf } from '../api/reference/curl.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { CodeBlock } from '../shared/document.tsx';

interface FrontPageProps {
  routes: readonly OperationRoute[];
  place: CurlPlace;
  /** Whether there is a page with the demo's texts. */
  isDemo: boolean;
}

export function FrontPage({ routes, place, isDemo }: FrontPageProps) {
  const first = routes.find(({ id }) => id === 'create_checkout');
  return (
    <>
      <h1>Ringkey is running</h1>
      <p class="lead">
        It takes a card payment during a phone call: a voice agent opens a checkout and transfers the call here, the
        caller keys the card, and comes back to the agent with the outcome.
      </p>
      <p>
        <a href="/dashboard">Dashboard</a> · <a href="/docs">Documentation</a> ·{' '}
        <a href="/docs/quickstart">Quickstart</a> · <a href="/docs/api-reference">API reference</a>
        {isDemo && ' · '}
        {isDemo && <a href="/demo/texts">Texts of the demo</a>}
      </p>
      <h2 id="first-request">A first request</h2>
      {first !== undefined && <CodeBlock text={curlOf(first, routes, place)} />}
      {isDemo && (
        <p>
          Then dial <code>transfer_to</code> with a softphone, or let a scripted caller do it all:{' '}
          <code>npm run call</code>.
        </p>
      )}
    </>
  );
}
