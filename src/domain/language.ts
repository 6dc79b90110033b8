/** Languages: BCP 47 tags, compared by their primary subtag, which is what words are written in. */

/** E.g. `es` of `es-MX`; lower case. */
export function primaryLanguage(tag: string): string {
  return (tag.split('-', 1)[0] ?? '').toLowerCase();
}

export function isSameLanguage(one: string, other: string): boolean {
  return primaryLanguage(one) === primaryLanguage(other);
}
