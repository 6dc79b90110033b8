/** The event stream of a test call: no text within it can end a line, and begin an event of its own. */
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { TestCall } from './ports.ts';
import { streamTestCall } from './stream.ts';

test.each(['\n', '\r', '\r\n'])('a line break %j in a text stays within its event', async (lineBreak) => {
  const call = { checkout: { sessionId: 'cs_1' }, state: 'over', watch: () => () => undefined } as unknown as TestCall;
  const stream = streamTestCall(call, {
    progress: { subscribe: () => () => undefined },
    render: async () => ({ steps: `Corner${lineBreak}event: after${lineBreak}${lineBreak}data: Bakery` }),
  });
  if (stream === null) throw new Error('no stream');
  expect(await text(stream)).toBe(
    'event: steps\ndata: Corner\ndata: event: after\ndata: \ndata: data: Bakery\n\nevent: over\ndata: over\n\n',
  );
});
