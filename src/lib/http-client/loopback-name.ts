/** Links to this machine for browsers, all with the same host name. */

/** The addresses of `localhost` (RFC 6761, 6.3). Not all of 127/8: the name does not find a server on 127.0.0.2. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * The host of a URL for browsers; loopback by name. Browsers create no passkeys for IP addresses, and keep cookies of
 * the address and the name apart, so all our links must use the same. @param address without brackets
 */
export function browserHost(address: string): string {
  if (LOOPBACK.includes(address)) return 'localhost';
  return address.includes(':') ? `[${address}]` : address;
}

/** The URL with {@link browserHost}, without a slash at the end. @param url of a server: scheme, host and port only */
export function browserUrl(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = browserHost(hostname.replace(/^\[(.*)\]$/, '$1'));
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}
