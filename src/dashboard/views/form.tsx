/** A form that changes something: it carries the CSRF token, says what it does, and cannot be sent twice by a double click. */
import type { ComponentChildren } from 'preact';
import { ATTEMPT_FIELD } from '../attempts.ts';
import { FORM_TOKEN_FIELD } from '../sign-in/form-token.ts';
import type { Visit } from '../visit.ts';

export interface FormProps {
  visit: Visit;
  /** Within the mode. */
  action: string;
  /** What happens, with its amount or name: "Give back $10.00". */
  submit: string;
  tone?: 'first' | 'danger' | 'plain';
  /**
   * For what must not happen twice: carries the visit's attempt, under which it is carried out once. For what makes something
   * the page is a `formPage`: then that holds after Back, too.
   */
  isOnce?: boolean;
  cancel?: string;
  /** Other buttons of the form, behind its own: the first one is pressed by Enter. */
  instead?: ComponentChildren;
  children?: ComponentChildren;
}

export function Form({ visit, action, submit, tone = 'first', isOnce = false, cancel, instead, children }: FormProps) {
  return (
    <form class="form" method="post" action={visit.base + action} data-once>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={visit.csrf} />
      {isOnce && <input type="hidden" name={ATTEMPT_FIELD} value={visit.attempt} />}
      {children}
      <div class="actions">
        <button type="submit" class={tone}>
          {submit}
        </button>
        {instead}
        {cancel !== undefined && (
          <a class="button" href={visit.base + cancel}>
            Cancel
          </a>
        )}
      </div>
    </form>
  );
}
