/** A checklist: each item with its state, and what to do about it. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';
import { pageWords } from './words/index.ts';

interface ChecklistItemProps {
  isDone: boolean;
  title: string;
  /** For screen readers. Default: by `isDone`. */
  state?: string;
  /** What to do, or what is known. */
  children?: ComponentChildren;
}

export function ChecklistItem({ isDone, title, state, children }: ChecklistItemProps) {
  const w = pageWords();
  return (
    <li class={isDone ? 'done' : 'open'}>
      <span class="tick">{isDone && <Icon name="check" />}</span>
      <div>
        <h2>
          {title} <span class="unseen">({state ?? (isDone ? w.done : w.notDone)})</span>
        </h2>
        {children}
      </div>
    </li>
  );
}
