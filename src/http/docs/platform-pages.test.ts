/** The pages about the platforms have the same parts, and their code can be parsed. */
import { execFileSync } from 'node:child_process';
import { lexer, type Tokens } from 'marked';
import { expect, test } from 'vitest';
import { PLATFORM_PAGES, readPage } from './pages.ts';

const PARTS = ['What it can', 'The tool', 'The transfer', 'The outcome', "The agent's instruction", 'What is lost'];
/** The last page is about several platforms. */
const PAGES = PLATFORM_PAGES.filter(({ file }) => file !== 'platform-others').map(({ file }) => file);

const tokensOf = (file: string) => lexer(readPage(file, {}));
const codeIn = (language: string) =>
  PLATFORM_PAGES.flatMap(({ file }) =>
    tokensOf(file)
      .filter((token): token is Tokens.Code => token.type === 'code' && token.lang?.split(' ')[0] === language)
      .map(({ text }) => text),
  );

test.each(PAGES)('%s has every part, in order', (file) => {
  const headings = tokensOf(file).filter((token): token is Tokens.Heading => token.type === 'heading');
  expect(headings.filter(({ depth }) => depth === 2).map(({ text }) => text.replace(/ \{#.*$/, ''))).toEqual(PARTS);
});

test.each(PAGES)('%s cites the documentation for what the platform can', (file) => {
  const part = readPage(file, {}).split('## The tool')[0] ?? '';
  expect(part).toMatch(/\(`[\w@./-]+`/);
});

test('the JSON of all pages is valid', () => {
  const blocks = codeIn('json');
  expect(blocks.length).toBeGreaterThan(2);
  for (const block of blocks) expect(() => JSON.parse(block), block).not.toThrow();
});

test('the JavaScript of all pages has no syntax errors', () => {
  const blocks = codeIn('js');
  expect(blocks.length).toBeGreaterThan(2);
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  // A function can hold everything but imports.
  const bodies = blocks.map((block) => block.replace(/^import .*$/gm, ''));
  for (const body of bodies) expect(() => new AsyncFunction(body), body).not.toThrow();
});

test('the Python of all pages has no syntax errors', () => {
  const blocks = codeIn('python');
  expect(blocks.length).toBeGreaterThan(1);
  const program =
    'import ast, json, sys\nfor block in json.load(sys.stdin): compile(block, "page", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)';
  expect(() =>
    execFileSync('python3', ['-c', program], { input: JSON.stringify(blocks), stdio: 'pipe' }),
  ).not.toThrow();
});
