import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Markdown, MarkdownLine } from './markdown.tsx';

const html = (text: string, blocks?: Record<string, string>) =>
  renderToString(<Markdown text={text} {...(blocks && { blocks })} />);

test.each([
  ['## Two words {#two-words}', '<h2 id="two-words">Two words</h2>'],
  ['> A lead with `code`.', '<p class="lead">A lead with <code>code</code>.</p>'],
  ['- one **b**\n- [two](/x)', '<ul><li>one <strong>b</strong></li><li><a href="/x">two</a></li></ul>'],
  ['1. first', '<ol><li>first</li></ol>'],
  ['```sh run\necho "<"\n```', '<pre tabindex="0"><code>echo &quot;&lt;&quot;</code></pre>'],
  ['a <b>bold</b> & `<Dial>`', '<p>a &lt;b>bold&lt;/b> &amp; <code>&lt;Dial></code></p>'],
])('%j becomes %s', (text, expected) => {
  expect(html(text)).toBe(expected);
});

test('a table has column headers and Markdown in its cells', () => {
  expect(html('| A | B |\n|---|---|\n| `x` | y |')).toBe(
    '<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>' +
      '<tbody><tr><td><code>x</code></td><td>y</td></tr></tbody></table></div>',
  );
});

test('a line {{name}} is replaced by its block, and an unknown name is an error', () => {
  expect(html('before\n\n{{middle}}\n\nafter', { middle: 'M' })).toBe('<p>before</p>M<p>after</p>');
  expect(() => html('{{other}}', { middle: 'M' })).toThrow('The page has no block named "other".');
});

test('a line of Markdown has no paragraph', () => {
  expect(renderToString(<MarkdownLine text="see `code`" />)).toBe('see <code>code</code>');
});
