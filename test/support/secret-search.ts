/** Searches texts for known secrets: plain, with separators, encoded for URLs and pages, in hex and in base64. */
import { decodedRuns, type WrittenText } from './card-data-search.ts';

/** Keyed by their kind, e.g. `session cookie`. */
export type Secrets = Readonly<Record<string, string>>;

/** A shorter secret cannot be searched, because it occurs by chance. */
const SHORTEST = 12;

/** @returns `<secret> in <place>` for each secret found */
export function findSecrets(texts: readonly WrittenText[], secrets: Secrets): string[] {
  const wanted = Object.entries(secrets).map(([name, secret]) => {
    if (secret.length < SHORTEST) throw new Error(`${name} is too short to be looked for`);
    return [name, formsOf(secret)] as const;
  });
  return texts.flatMap(({ place, text }) => {
    const views = [text, text.replaceAll(' ', ''), ...decodedRuns(text)];
    const found = wanted.filter(([, forms]) => forms.some((form) => views.some((view) => view.includes(form))));
    return found.map(([name]) => `${name} in ${place}`);
  });
}

function formsOf(secret: string): string[] {
  const inPage = secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return [...new Set([secret, secret.replaceAll(' ', ''), encodeURIComponent(secret), inPage])];
}
