/** The generated parts of the pages, by the names under which the Markdown uses them. */

import { describeSettings } from '../../config/settings.ts';
import { LANGUAGE_TAGS } from '../../languages/index.ts';
import type { ToolPlace } from '../agent-tools/formats.ts';
import type { CurlPlace } from '../api/reference/curl.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { CodeBlock } from '../shared/document.tsx';
import { VERIFY_SNIPPETS } from '../shared/verify-webhook.ts';
import { SIP_SECRET } from './examples.ts';
import { AGENT_PROMPT, platformTools } from './generated/agent-tools.tsx';
import { AgentActions, Declines, ErrorCodes, errorExample } from './generated/errors.tsx';
import {
  AttentionEventExample,
  AttentionEventTypes,
  CallEventExample,
  CallEventTypes,
  deliveryExample,
  EventExamples,
  EventTypes,
  retryDelays,
} from './generated/events.tsx';
import { LiveMerchant, LiveProcessor, LiveWebhook, Requirements, VelocityLimits } from './generated/going-live.tsx';
import { OperationCurl, Operations } from './generated/operations.tsx';
import { type DescribedProcessor, Processors } from './generated/processors.tsx';
import { AttestationNotes, LookupNotes, TestCalls, TestNumbers } from './generated/screening.tsx';
import { bridgeExample, referExample } from './generated/sip-examples.ts';
import { TestAccounts, TestCards, VendorTestCards } from './generated/test-cards.tsx';
import { Verdicts } from './generated/verdicts.tsx';
import { type Blocks, Table } from './markdown.tsx';

export interface DocsContent {
  routes: readonly OperationRoute[];
  place: CurlPlace;
  /** Base of `doc_url` in the examples. */
  docsUrl: string;
  /** What the tools of agents contain of the reader's own. */
  tools: ToolPlace;
  processors: readonly DescribedProcessor[];
}

export function docsBlocks({ routes, place, docsUrl, tools, processors }: DocsContent): Blocks {
  return {
    'first-request': <OperationCurl id="create_checkout" routes={routes} place={place} />,
    operations: <Operations routes={routes} place={place} />,
    'tool-request': <OperationCurl id="tool_create_checkout" routes={routes} place={place} />,
    'agent-prompt': <CodeBlock text={AGENT_PROMPT} />,
    ...platformTools(routes, tools),
    verdicts: <Verdicts />,
    'agent-actions': <AgentActions />,
    'error-example': <CodeBlock text={errorExample(docsUrl)} />,
    declines: <Declines />,
    'error-codes': <ErrorCodes routes={routes} />,
    'event-types': <EventTypes />,
    'attention-event-types': <AttentionEventTypes />,
    'attention-event-example': <AttentionEventExample docsUrl={docsUrl} />,
    'call-event-types': <CallEventTypes />,
    'call-event-example': <CallEventExample />,
    'event-examples': <EventExamples docsUrl={docsUrl} />,
    'delivery-example': <CodeBlock text={deliveryExample(docsUrl)} />,
    'verify-code': <VerifyCode />,
    'bridge-example': <CodeBlock text={bridgeExample()} />,
    'refer-example': <CodeBlock text={referExample()} />,
    'test-cards': <TestCards />,
    'test-accounts': <TestAccounts />,
    ...vendorTestCards(processors),
    'lookup-notes': <LookupNotes />,
    'attestation-notes': <AttestationNotes />,
    'test-numbers': <TestNumbers />,
    'test-calls': <TestCalls />,
    'live-merchant': <LiveMerchant />,
    'live-processor': <LiveProcessor />,
    'live-webhook': <LiveWebhook />,
    processors: <Processors processors={processors} />,
    requirements: <Requirements />,
    'velocity-limits': <VelocityLimits />,
    settings: <Settings />,
  };
}

/** `test-cards-adyen` and so on. */
const vendorTestCards = (processors: readonly DescribedProcessor[]): Blocks =>
  Object.fromEntries(
    processors.flatMap(({ name, testData }) =>
      testData === undefined ? [] : [[`test-cards-${name}`, <VendorTestCards {...testData} />]],
    ),
  );

const VerifyCode = () => (
  <>
    {VERIFY_SNIPPETS.map(({ language, code }) => (
      <>
        <h3>{language}</h3>
        <CodeBlock text={code} />
      </>
    ))}
  </>
);

const Settings = () => (
  <Table
    head={['Setting', 'Default', 'Meaning']}
    rows={describeSettings().map(({ name, fallback, about }) => [<code id={name}>{name}</code>, fallback, about])}
  />
);

/** Values of the placeholders within a line. */
export const docsWords = ({ baseUrl, key }: CurlPlace): Record<string, string> => ({
  base_url: baseUrl,
  key,
  'header-secret': SIP_SECRET,
  languages: LANGUAGE_TAGS.map((language) => `\`${language}\``).join(', '),
  'retry-delays': retryDelays(),
});
