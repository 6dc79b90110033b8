/** Links to this machine, for browsers: all by one name. */

/**
 * What `localhost` stands for (RFC 6761, 6.3). Not all of 127/8: what listens on 127.0.0.2 is not found by the name.
 */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Host of a URL for browsers. Loopback by its name: browsers make no passkeys for addresses, and do not send the cookie
 * of one to the other, so that all our links have to agree on one. @param address without brackets
 */
export function browserHost(address: string): string {
  if (LOOPBACK.includes(address)) return 'localhost';
  return address.includes(':') ? `[${address}]` : address;
}

/** The URL with {@link browserHost}, without a slash at its end. @param url of a server: scheme, host and port alone */
export function browserUrl(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = browserHost(hostname.replace(/^\[(.*)\]$/, '$1'));
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}
