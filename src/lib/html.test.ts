import { expect, test } from 'vitest';
import { html } from './html.ts';

test('what is put into a template is escaped, unless it is HTML already', () => {
  expect(html`<p>${'<b>&"\''}${html`<i>${1}</i>`}</p>`.text).toBe('<p>&lt;b&gt;&amp;&quot;&#39;<i>1</i></p>');
  expect(html`<ul>${['a', 'b'].map((each) => html`<li>${each}</li>`)}</ul>`.text).toBe(
    '<ul><li>a</li>\n<li>b</li></ul>',
  );
});
