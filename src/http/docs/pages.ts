/** The pages of the docs: Markdown files in `pages/`, read once, when the service starts. */
import { readFileSync } from 'node:fs';
import { lexer } from 'marked';

export interface DocsPage {
  path: string;
  /** In the menu. */
  title: string;
  /** Name of the file in `pages/`, without `.md`. */
  file: string;
  /** In the menu, under the page before it that is none. */
  isPlatform?: true;
}

/** A page about one voice platform. */
const platform = (name: string, title: string): DocsPage => ({
  path: `/docs/platforms/${name}`,
  title,
  file: `platform-${name}`,
  isPlatform: true,
});

/** The most used first. */
export const PLATFORM_PAGES: readonly DocsPage[] = [
  platform('twilio', 'Twilio'),
  platform('livekit', 'LiveKit'),
  platform('vapi', 'Vapi'),
  platform('retell', 'Retell'),
  platform('elevenlabs', 'ElevenLabs'),
  platform('openai', 'OpenAI Realtime'),
  platform('telnyx', 'Telnyx'),
  platform('jambonz', 'jambonz'),
  platform('pipecat', 'Pipecat'),
  platform('bland', 'Bland'),
  platform('node', 'Your own agent (Node.js)'),
  platform('others', 'Other platforms'),
];

/** In the order of the menu. */
export const DOCS_PAGES: readonly DocsPage[] = [
  { path: '/docs', title: 'Start here', file: 'start' },
  { path: '/docs/quickstart', title: 'Quickstart', file: 'quickstart' },
  { path: '/docs/install', title: 'Run it on your machine', file: 'install' },
  { path: '/docs/dashboard', title: 'Dashboard', file: 'dashboard' },
  { path: '/docs/voice-platforms', title: 'Voice platforms', file: 'voice-platforms' },
  ...PLATFORM_PAGES,
  { path: '/docs/client-libraries', title: 'Client libraries', file: 'client-libraries' },
  { path: '/docs/mcp', title: 'MCP', file: 'mcp' },
  { path: '/docs/api-reference/error-codes', title: 'Error codes', file: 'error-codes' },
  { path: '/docs/events', title: 'Events and webhooks', file: 'events' },
  { path: '/docs/holds', title: 'Holds', file: 'holds' },
  { path: '/docs/disputes', title: 'Disputes', file: 'disputes' },
  { path: '/docs/payouts', title: 'Payouts', file: 'payouts' },
  { path: '/docs/tips', title: 'Tips', file: 'tips' },
  { path: '/docs/partial-payments', title: 'Partial payments', file: 'partial-payments' },
  { path: '/docs/receipts', title: 'Receipts', file: 'receipts' },
  { path: '/docs/bank-debits', title: 'Bank debits', file: 'bank-debits' },
  { path: '/docs/sip-headers', title: 'SIP headers', file: 'sip-headers' },
  { path: '/docs/test-cards', title: 'Test cards', file: 'test-cards' },
  { path: '/docs/saved-cards', title: 'Saved cards', file: 'saved-cards' },
  { path: '/docs/screening', title: 'Screening', file: 'screening' },
  { path: '/docs/processors', title: 'Processors', file: 'processors' },
  { path: '/docs/going-live', title: 'Going live', file: 'going-live' },
  { path: '/docs/operating', title: 'Operating', file: 'operating' },
  { path: '/docs/sizing', title: 'Sizing', file: 'sizing' },
  { path: '/docs/security', title: 'Security', file: 'security' },
  { path: '/docs/settings', title: 'Settings', file: 'settings' },
];

/** The folder of the pages in the repository. */
export const PAGES_FOLDER = 'src/http/docs/pages';

/** @param words values of the inline placeholders `{{name}}`; other placeholders stay */
export function readPage(file: string, words: Readonly<Record<string, string>>): string {
  const text = readFileSync(new URL(`./pages/${file}.md`, import.meta.url), 'utf8');
  return text.replace(/\{\{([\w-]+)\}\}/g, (whole, name: string) => words[name] ?? whole);
}

/**
 * A code block of a page, for the tests that run it.
 * @param name the second word of its fence: ```` ```sh name ````
 * @throws Error if the page has no such block
 */
export function codeOf(file: string, name: string, words: Readonly<Record<string, string>> = {}): string {
  const block = lexer(readPage(file, words)).find(
    (token) => token.type === 'code' && token.lang?.split(' ')[1] === name,
  );
  if (block?.type !== 'code') throw new Error(`${file}.md has no code block named "${name}".`);
  return block.text as string;
}
