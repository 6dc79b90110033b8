/**
 * Passkeys in the browser: a button with `data-passkey` gets the options from the server and sends it the
 * authenticator's response. `@simplewebauthn/browser` is loaded first. Password and code work without this script.
 */
import type { BrowserWords } from '../page/browser-words.ts';

interface WebAuthn {
  browserSupportsWebAuthn(): boolean;
  startAuthentication(options: { optionsJSON: unknown }): Promise<unknown>;
  startRegistration(options: { optionsJSON: unknown }): Promise<unknown>;
}

(() => {
  const words = JSON.parse(document.body.dataset.words ?? '{}') as BrowserWords;
  const webAuthn = (globalThis as { SimpleWebAuthnBrowser?: WebAuthn }).SimpleWebAuthnBrowser;
  const buttons = document.querySelectorAll<HTMLButtonElement>('button[data-passkey]');
  document.querySelector<HTMLElement>('[aria-invalid], [data-focus]')?.focus();
  if (webAuthn?.browserSupportsWebAuthn() !== true) return;

  async function post(path: string, fields: Record<string, string>): Promise<Response> {
    const headers = { accept: 'application/json' };
    return fetch(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  }

  /** Shows the error next to the button, for screen readers too. */
  function tell(button: HTMLElement, text: string): void {
    const place = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    if (place === null) return;
    place.textContent = text;
    place.hidden = text === '';
  }

  async function messageOf(answer: Response): Promise<string> {
    const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
    return message ?? words.failed;
  }

  /** @param action path of the options; the response goes to `/answer` below it */
  async function use(button: HTMLButtonElement, action: string, fields: Record<string, string>): Promise<void> {
    const response = await post(action, fields);
    if (!response.ok) return tell(button, await messageOf(response));
    const optionsJSON: unknown = await response.json();
    const isNew = button.dataset.passkey === 'new';
    const answer = await (isNew
      ? webAuthn?.startRegistration({ optionsJSON })
      : webAuthn?.startAuthentication({ optionsJSON }));
    const taken = await post(`${action}/answer`, { ...fields, answer: JSON.stringify(answer) });
    if (!taken.ok) return tell(button, await messageOf(taken));
    const { next } = (await taken.json()) as { next: string };
    location.assign(next);
  }

  for (const button of buttons) {
    const { action = '', fields = '{}', nameFrom = '' } = button.dataset;
    button.closest<HTMLElement>('[data-needs-passkeys]')?.removeAttribute('hidden');
    button.addEventListener('click', () => {
      tell(button, '');
      button.setAttribute('aria-disabled', 'true');
      const named = document.getElementById(nameFrom);
      const name = named instanceof HTMLInputElement ? { name: named.value } : {};
      use(button, action, { ...(JSON.parse(fields) as Record<string, string>), ...name })
        // The user closed the browser's dialog, or the authenticator refused.
        .catch(() => tell(button, words.noPasskey))
        .finally(() => button.removeAttribute('aria-disabled'));
    });
  }
})();
