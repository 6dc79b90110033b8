/** The page of one object: its kind and ID, a heading, its activity, and its facts at the side. */
import type { ComponentChildren } from 'preact';
import { Id } from './parts.tsx';

export interface ObjectPageProps {
  /** "Refund". */
  kind: string;
  id: string;
  /** The heading: an amount or a name, with a {@link Badge}. */
  heading: ComponentChildren;
  actions?: ComponentChildren;
  notice?: ComponentChildren;
  /** {@link Block}s: the activity and related objects. */
  children: ComponentChildren;
  /** {@link Facts}. */
  side: ComponentChildren;
}

export function ObjectPage({ kind, id, heading, actions, notice, children, side }: ObjectPageProps) {
  return (
    <>
      {notice}
      <div class="head">
        <div class="object">
          <p class="kind">
            {kind} <Id id={id} />
          </p>
          <h1>{heading}</h1>
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      <div class="columns">
        <div>{children}</div>
        <aside aria-label="Facts">{side}</aside>
      </div>
    </>
  );
}
