import { type ComponentChildren, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { marked, Prose } from './markdown.tsx';

const textOf = (children: ComponentChildren) => renderToString(h(Fragment, null, children));

test('descriptions have paragraphs, lists, code and bold words', () => {
  const text = 'One `a < b`,\ntwo.\n\n- **First** item\ngoes on.\n- Second.';
  expect(textOf(h(Prose, { text }))).toBe(
    '<p>One <code>a &lt; b</code>,\ntwo.</p><ul><li><strong>First</strong> item\ngoes on.</li><li>Second.</li></ul>',
  );
});

test('a line may hold code, and nothing that runs', () => {
  expect(textOf(marked('say `agent_message` <script>'))).toBe('say <code>agent_message</code> &lt;script>');
  expect(textOf(marked('`<b>` **<i>** `open'))).toBe('<code>&lt;b></code> <strong>&lt;i></strong> `open');
});
