/**
 * Compares a served pay page with the build (PCI DSS 11.6.1): its scripts, their content, and its
 * Content-Security-Policy. From another machine, it detects changes by a proxy, a network or an intruder.
 */
import { createHash } from 'node:crypto';
import type { ProcessorPage } from '../../payments/port/page.ts';
import type { PageScript, PageScripts } from './assets.ts';
import { contentSecurityPolicy, NO_SOURCES } from './headers.ts';

interface ServedPage {
  html: string;
  /** Null if the page has none. */
  policy: string | null;
}

export interface PageCheck {
  /** The scripts of the page and their purpose: our own, then the vendor's scripts that they load. */
  scripts: { url: string; why: string }[];
  /** Empty if the page is as built. */
  differences: string[];
}

interface Built {
  scripts: PageScripts;
  /** The sources of each processor's page, in each mode. */
  pages: readonly ProcessorPage[];
}

const WHY_PAGE = 'Our own: sends the form once, and shows the state of the call.';
const whyModule = (name: string) => `Our own: shows ${name}’s card fields, and passes on their token.`;

/** @param read a script's bytes, by the path that the page names. @throws what `read` throws */
export async function checkPage(
  { html, policy }: ServedPage,
  { scripts, pages }: Built,
  read: (path: string) => Promise<Buffer>,
): Promise<PageCheck> {
  const [tags, byPath] = [scriptTags(html), new Map([...scripts.values()].map((script) => [script.path, script]))];
  const known = tags.flatMap(({ src }) => byPath.get(src ?? '') ?? []);
  const page = pages.find((each) => hasPolicy(policy, each.sources) && known.some(({ name }) => name === each.module));
  const differences = [
    ...tags.flatMap((tag) => tagDifference(tag, byPath.get(tag.src ?? ''))),
    ...(tags.length === 0 ? ['the page has no script, so it is not a page of a session'] : []),
    ...(page === undefined && !hasPolicy(policy, NO_SOURCES) ? [`the policy is not ours: ${policy ?? 'none'}`] : []),
    ...(/\son\w+\s*=\s*["']/i.test(html.replace(/<style.*?<\/style>/gs, '')) ? ['the page has an inline handler'] : []),
    ...(await contentDifferences(known, read)),
  ];
  const own = known.map(({ name, path }) => ({ url: path, why: name === 'page' ? WHY_PAGE : whyModule(name) }));
  return { scripts: [...own, ...(page?.scripts ?? [])], differences };
}

interface Tag {
  src: string | null;
  integrity: string | null;
  text: string;
}

function scriptTags(html: string): Tag[] {
  return [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script\s*>/gis)].map(([, attributes = '', text = '']) => ({
    src: attributeOf(attributes, 'src'),
    integrity: attributeOf(attributes, 'integrity'),
    text,
  }));
}

const attributeOf = (attributes: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(attributes)?.[1] ?? null;

function tagDifference({ src, integrity, text }: Tag, script: PageScript | undefined): string[] {
  if (src === null || text.trim() !== '') return ['the page has an inline script'];
  if (script === undefined) return [`${src} is not one of our scripts`];
  return integrity === script.integrity ? [] : [`${src} has a different integrity value`];
}

/** Ignores the nonce, which differs in each response. */
function hasPolicy(policy: string | null, sources: ProcessorPage['sources']): boolean {
  return policy?.replaceAll(/'nonce-[^']+'/g, "'nonce-x'") === contentSecurityPolicy('x', sources);
}

function contentDifferences(
  scripts: readonly PageScript[],
  read: (path: string) => Promise<Buffer>,
): Promise<string[]> {
  const checks = scripts.map(async ({ path, integrity }) => {
    const hash = createHash('sha384').update(await read(path));
    return `sha384-${hash.digest('base64')}` === integrity ? [] : [`${path} has different content`];
  });
  return Promise.all(checks).then((found) => found.flat());
}
