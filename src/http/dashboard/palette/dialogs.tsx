/**
 * The dialogs of the keyboard: the command palette and the list of shortcuts, and the results of the search field.
 * `browser/palette.ts` and `browser/keys.ts` open them. Without scripts they stay closed, and their buttons hidden.
 */
import type { KnownPaths, SectionId } from '../page/navigation.tsx';
import { pageWords } from '../page/words/index.ts';
import { paletteWords } from './words/index.ts';

export function PaletteDialog({ base }: { base: string }) {
  const w = paletteWords();
  return (
    <dialog class="palette" id="palette" aria-label={w.palette}>
      <form action={`${base}/search`} method="get">
        <input
          name="q"
          role="combobox"
          aria-label={w.label}
          aria-controls="palette-options"
          aria-expanded="true"
          aria-autocomplete="list"
          placeholder={w.hint}
          maxlength={100}
          autocomplete="off"
          spellcheck={false}
        />
      </form>
      <OptionList base={base} id="palette-options" />
    </dialog>
  );
}

/** Where the search field shows results while you type. */
export const SearchResults = ({ base }: { base: string }) => (
  <div class="found" data-shortest={SHORTEST_SEARCH}>
    <OptionList base={base} id="search-options" isHidden />
  </div>
);

/** Filled by the browser with the options of a text, and how many there are. */
const OptionList = ({ base, id, isHidden }: { base: string; id: string; isHidden?: true }) => (
  <>
    <div
      class="options"
      id={id}
      role="listbox"
      aria-label={paletteWords().results}
      data-options={`${base}/palette`}
      hidden={isHidden}
    />
    <p class="unseen" role="status" />
  </>
);

/** Shorter texts find no objects: a search costs a dozen queries. */
export const SHORTEST_SEARCH = 3;

export const PaletteButton = () => (
  <button type="button" class="open-palette" data-opens="palette" title={paletteWords().palette} hidden>
    <kbd>Ctrl K</kbd> <span class="unseen">{paletteWords().palette}</span>
  </button>
);

/** Pages by the key that is pressed after `g`. */
const GO: readonly (readonly [key: string, page: SectionId | 'tail', path: string])[] = [
  ['o', 'overview', '/overview'],
  ['n', 'now', '/now'],
  ['a', 'attention', '/attention'],
  ['l', 'tail', '/tail'],
  ['c', 'calls', '/calls'],
  ['k', 'checkouts', '/checkouts'],
  ['p', 'charges', '/charges'],
  ['r', 'refunds', '/refunds'],
  ['e', 'events', '/events'],
  ['s', 'setup', '/setup'],
];

const titleOf = (page: SectionId | 'tail') =>
  page === 'tail' ? paletteWords().pages.tail : pageWords().sections[page];

export function ShortcutsDialog({ base, known }: { base: string; known: KnownPaths }) {
  const w = paletteWords();
  return (
    <dialog class="shortcuts" id="shortcuts" aria-labelledby="shortcuts-heading">
      <h2 id="shortcuts-heading">{w.shortcuts}</h2>
      <ul>
        <Shortcut keys={['Ctrl', 'K']} text={w.keys.palette} />
        <Shortcut keys={['/']} text={w.keys.search} />
        <Shortcut keys={['j']} text={w.keys.next} />
        <Shortcut keys={['k']} text={w.keys.previous} />
        <Shortcut keys={['?']} text={w.keys.help} />
        {GO.filter(([, , path]) => known.has(path)).map(([key, page, path]) => (
          <li key={key}>
            <a href={base + path} data-go={key}>
              {titleOf(page)}
            </a>
            <span>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </span>
          </li>
        ))}
      </ul>
      <label>
        <input type="checkbox" data-single-keys checked /> {w.singleKeys}
      </label>
      <form method="dialog" class="actions">
        <button type="submit">{w.close}</button>
      </form>
    </dialog>
  );
}

export const ShortcutsButton = () => (
  <p hidden>
    <button type="button" data-opens="shortcuts">
      {paletteWords().shortcuts}
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
