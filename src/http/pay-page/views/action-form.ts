/**
 * What the bank asks of the payer (3-D Secure): the processor's script shows its dialog, and sends this form when it is
 * done.
 */
import { type Html, html } from '../html.ts';
import { dataOf } from './card-form.ts';
import { STATUS, spokenOf } from './spoken.ts';
import { type PageView, pathOf } from './view.ts';

/**
 * Without a dialog of a processor's (the sandbox has none), and once the bank has its answer, the buttons are all there
 * is.
 */
export function actionForm(view: PageView): Html {
  const { words, processor, action } = view;
  const needsScript = processor?.way.kind === 'token' && action !== null;
  const data = needsScript ? html`${dataOf(view, processor)} data-action="${JSON.stringify(action)}"` : spokenOf(view);
  return html`<form id="action" class="ways" method="post" action="${pathOf(view, 'action')}"${data}>
<div id="form-errors" class="errors" role="alert" tabindex="-1"></div>
${needsScript ? html`<noscript><p>${words.withoutScript}</p></noscript>` : html`<button type="submit" name="answer" value="confirm">${words.confirm}</button>`}
<button type="submit" class="second" name="answer" value="cancel">${words.doNotConfirm}</button>
${STATUS}
</form>`;
}
