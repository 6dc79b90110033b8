/** Texts that others have written, for speech. */

/** A foreign text on one line, without control characters and runs of spaces. */
export function tidy(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
}
