/**
 * The dialogs of the keyboard: the command palette and the list of shortcuts. `browser/palette.ts` opens them. Without
 * scripts they stay closed, and their buttons hidden.
 */
import type { KnownPaths } from '../page/navigation.tsx';

export function PaletteDialog({ base }: { base: string }) {
  return (
    <dialog class="palette" id="palette" aria-label="Command palette" data-options={`${base}/palette`}>
      <form action={`${base}/search`} method="get">
        <input
          name="q"
          role="combobox"
          aria-label="Go to a page, search, or run a command"
          aria-controls="palette-options"
          aria-expanded="true"
          aria-autocomplete="list"
          placeholder="Page, search or command"
          maxlength={100}
          autocomplete="off"
          spellcheck={false}
        />
      </form>
      <div id="palette-options" role="listbox" aria-label="Results" />
      <p class="unseen" role="status" />
    </dialog>
  );
}

export const PaletteButton = () => (
  <button type="button" class="open-palette" data-opens="palette" title="Command palette" hidden>
    <kbd>Ctrl K</kbd> <span class="unseen">Command palette</span>
  </button>
);

/** Pages by the key that is pressed after `g`. */
const GO: readonly (readonly [key: string, title: string, path: string])[] = [
  ['o', 'Overview', '/overview'],
  ['n', 'Now', '/now'],
  ['a', 'Attention', '/attention'],
  ['l', 'Live tail', '/tail'],
  ['c', 'Calls', '/calls'],
  ['k', 'Checkouts', '/checkouts'],
  ['p', 'Charges', '/charges'],
  ['r', 'Refunds', '/refunds'],
  ['e', 'Events', '/events'],
  ['s', 'Settings', '/setup'],
];

export function ShortcutsDialog({ base, known }: { base: string; known: KnownPaths }) {
  return (
    <dialog class="shortcuts" id="shortcuts" aria-labelledby="shortcuts-heading">
      <h2 id="shortcuts-heading">Keyboard shortcuts</h2>
      <ul>
        <Shortcut keys={['Ctrl', 'K']} text="Command palette (⌘ K on a Mac)" />
        <Shortcut keys={['/']} text="Search" />
        <Shortcut keys={['j']} text="Next row of a list" />
        <Shortcut keys={['k']} text="Previous row of a list" />
        <Shortcut keys={['?']} text="This list" />
        {GO.filter(([, , path]) => known.has(path)).map(([key, title, path]) => (
          <li key={key}>
            <a href={base + path} data-go={key}>
              {title}
            </a>
            <span>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </span>
          </li>
        ))}
      </ul>
      <label>
        <input type="checkbox" data-single-keys checked /> Use single-key shortcuts in this browser
      </label>
      <form method="dialog" class="actions">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

export const ShortcutsButton = () => (
  <p hidden>
    <button type="button" data-opens="shortcuts">
      Keyboard shortcuts
    </button>
  </p>
);

function Shortcut({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <li>
      <span>{text}</span>
      <span>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </li>
  );
}
