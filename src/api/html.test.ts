import { expect, test } from 'vitest';
import { html, marked, prose } from './html.ts';

test('what is put into a template is escaped, unless it is HTML already', () => {
  expect(html`<p>${'<b>&"\''}${html`<i>${1}</i>`}</p>`.text).toBe('<p>&lt;b&gt;&amp;&quot;&#39;<i>1</i></p>');
  expect(html`<ul>${['a', 'b'].map((each) => html`<li>${each}</li>`)}</ul>`.text).toBe(
    '<ul><li>a</li>\n<li>b</li></ul>',
  );
});

test('descriptions have paragraphs, lists, code and bold words', () => {
  expect(prose('One `a < b`,\ntwo.\n\n- **First** item\ngoes on.\n- Second.').text).toBe(
    '<p>One <code>a &lt; b</code>,\ntwo.</p>\n<ul><li><strong>First</strong> item\ngoes on.</li>\n<li>Second.</li></ul>',
  );
});

test('a line may hold code, and nothing that runs', () => {
  expect(marked('say `agent_message` <script>').text).toBe('say <code>agent_message</code> &lt;script&gt;');
});
