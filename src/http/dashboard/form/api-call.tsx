/** A form as an API call: the curl command with the form's current values. It never has a key or another secret. */
import type { KeyResource } from '../../../accounts/keys/resources.ts';
import { withoutSecrets } from '../../../domain/audit.ts';
import { randomToken } from '../../../domain/ids.ts';
import type { ApiQuestion } from '../../api/in-process.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { CopyButton } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { maySend } from './roles.tsx';
import { formWords } from './words/index.ts';

/** The value of a secret in an API call. It is shown as a variable of the shell. */
export class ShellVariable {
  readonly name: string;
  /** @param name capital letters and underscores */
  constructor(name: string) {
    this.name = name;
  }
}

/** The URL, or a variable if parts of it may be secret. */
export const shownUrl = (url: string, name: string): string | ShellVariable =>
  !URL.canParse(url) || withoutSecrets(url) === new URL(url).href ? url : new ShellVariable(name);

/** In single quotes, so that the shell expands nothing in it. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @param question its body may contain {@link ShellVariable} */
export function apiCallText({ origin }: Pick<Visit, 'origin'>, { method = 'GET', path, body }: ApiQuestion): string {
  const lines = [
    `curl -s${method === 'GET' || method === 'POST' ? '' : ` -X ${method}`} ${quoted(origin + path)}`,
    '-H "Authorization: Bearer $RINGKEY_KEY"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${bodyText(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** The JSON, with the variables outside of the single quotes. */
function bodyText(body: object): string {
  // Random, so that no value of the form is taken for a variable.
  const mark = randomToken();
  const json = JSON.stringify(body, (_, value) => (value instanceof ShellVariable ? mark + value.name : value), 2);
  return quoted(json).replaceAll(new RegExp(`${mark}([A-Z_]+)`, 'g'), (_, name: string) => `'"$${name}"'`);
}

/** The ID of the form that the command follows, on pages with one such form. */
export const API_CALL_FORM = 'values';

interface ApiCallProps {
  visit: Visit;
  /** Takes the form. The page that it returns has this part. Within the mode. Absent if no entry is in the command. */
  action?: string;
  question: ApiQuestion;
  /** Of the key. */
  scope?: KeyResource['scope'];
  /** Without JavaScript, a button sends the form to the action. False if the page has another such button. */
  hasButton?: boolean;
}

/** Has the server render the command again after each change of the form. */
const following = (address: string) =>
  ({
    'hx-post': address,
    'hx-trigger': `change from:#${API_CALL_FORM} delay:200ms`,
    'hx-include': `#${API_CALL_FORM}`,
    'hx-select': '#api-call',
    'hx-swap': 'outerHTML show:none',
    'hx-sync': 'this:replace',
  }) as const;

/** The command, folded. It follows the entries of the form with the ID {@link API_CALL_FORM}. */
export function ApiCall({ visit, action, question, scope = 'full', hasButton = true }: ApiCallProps) {
  const text = apiCallText(visit, question);
  const follows = action !== undefined && maySend(visit, action);
  const w = formWords().apiCall;
  return (
    <details class="api-call">
      <summary>{w.title}</summary>
      <p class="hint">
        {action === undefined ? w.sendsVariables : w.sendsEntries} {w.key(<code>RINGKEY_KEY</code>, visit.mode, scope)}
      </p>
      <div class="command" id="api-call" {...(follows && following(visit.base + action))}>
        <CodeBlock text={text} />
        <CopyButton text={text} label={w.copy} />
      </div>
      {hasButton && follows && (
        <noscript>
          <button type="submit" form={API_CALL_FORM} formaction={visit.base + action} formnovalidate>
            {w.update}
          </button>
        </noscript>
      )}
    </details>
  );
}
