/** The facts of a test call that ends while they are read. */
import { expect, test } from 'vitest';
import { renderPart } from '../page/layout.tsx';
import type { Visit } from '../page/visit.ts';
import { TestCallState } from './call.tsx';
import { readTestCallFacts } from './live.ts';
import type { TestCall } from './ports.ts';

test('shows no outcome of a call that ended while its facts were read', async () => {
  const call = { id: 'try_1', state: 'running', ending: null, recording: null, checkout: { sessionId: 'cs_1' } };
  const visit = {
    base: '',
    knownPaths: new Set(),
    isCompact: false,
    ask: async () => {
      call.state = 'over';
      return { calls: [], events: [] };
    },
  };
  const shown = { visit: visit as unknown as Visit, call: call as unknown as TestCall };
  const facts = await readTestCallFacts(shown.visit, shown.call);
  const html = renderPart(<TestCallState {...shown} facts={facts} />);
  expect(html).toContain('On the line');
  expect(html).not.toContain('Unpaid');
});
