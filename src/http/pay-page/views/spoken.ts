/** What a form says while its payment is sent: the words for the page's script, and the place for them. */
import { type Html, html } from '../html.ts';
import type { PageView } from './view.ts';

/** The script sends a form with these words itself, and repeats it where it does not get through. */
export function spokenOf({ words }: Pick<PageView, 'words'>): Html {
  return html` data-words="${JSON.stringify(words.browser)}"`;
}

/** Below the button that was pressed. */
export const STATUS: Html = html`<p class="still" role="status"></p>`;
