/** URLs that a payer's browser opens: https, without a user name or password. */

declare const brand: unique symbol;
export type HttpsUrl = string & { readonly [brand]: 'https-url' };

export const MAX_HTTPS_URL_LENGTH = 2_048;

/** @returns the URL as browsers write it, so that the text shows where it leads; null if it is not one */
export function parseHttpsUrl(text: string): HttpsUrl | null {
  const plain = text.trim();
  if (plain.length > MAX_HTTPS_URL_LENGTH || !/^https:\/\/[^\s\\]+$/i.test(plain) || !URL.canParse(plain)) return null;
  const { href, username, password, hostname } = new URL(plain);
  const isWhole = username === '' && password === '' && hostname.includes('.');
  return isWhole && href.length <= MAX_HTTPS_URL_LENGTH ? (href as HttpsUrl) : null;
}
