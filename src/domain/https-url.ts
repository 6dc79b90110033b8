/** Addresses that a payer's browser is led to: https, and nobody's user name or password in them. */

declare const brand: unique symbol;
export type HttpsUrl = string & { readonly [brand]: 'https-url' };

export const MAX_HTTPS_URL_LENGTH = 2_048;

/** @returns as browsers write it, so that what is shown is where it leads; null for what is none */
export function parseHttpsUrl(text: string): HttpsUrl | null {
  const plain = text.trim();
  if (plain.length > MAX_HTTPS_URL_LENGTH || !/^https:\/\/[^\s\\]+$/i.test(plain) || !URL.canParse(plain)) return null;
  const { href, username, password, hostname } = new URL(plain);
  const isWhole = username === '' && password === '' && hostname.includes('.');
  return isWhole && href.length <= MAX_HTTPS_URL_LENGTH ? (href as HttpsUrl) : null;
}
