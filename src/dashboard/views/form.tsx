/** A form that changes something: it carries the CSRF token, says what it does, and cannot be sent twice by a double click. */
import type { ComponentChildren } from 'preact';
import { randomToken } from '../../domain/ids.ts';
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
   * Carries an Idempotency-Key in the field `attempt`: for what must not happen twice. A fresh one with `true`; where the page
   * can be come back to, one that its address has.
   */
  isOnce?: boolean | string;
  cancel?: string;
  /** Other buttons of the form, behind its own: the first one is pressed by Enter. */
  instead?: ComponentChildren;
  children?: ComponentChildren;
}

export function Form({ visit, action, submit, tone = 'first', isOnce = false, cancel, instead, children }: FormProps) {
  return (
    <form class="form" method="post" action={visit.base + action} data-once>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={visit.csrf} />
      {isOnce !== false && <input type="hidden" name="attempt" value={isOnce === true ? randomToken() : isOnce} />}
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
