/** Digest credentials (RFC 8760) of the hosts that we call, and whose calls may use them. */

export interface SipCredentials {
  username: string;
  password: string;
}

export interface ReturnCredentials extends SipCredentials {
  /** Lower case, without brackets: only a `return_to` that names it is answered with these. */
  host: string;
  /** Null: the calls of every account. */
  accountId: string | null;
}

const ENTRY =
  /^(?:(?<accountId>acct_\w+)@)?(?<host>[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])=(?<username>[^":\\\s]+):(?<password>[!-~]+)$/i;

/** Parses `host=user:password` or `acct_…@host=user:password`. Null: neither. */
export function parseReturnCredentials(text: string): ReturnCredentials | null {
  const { accountId, host, username, password } = ENTRY.exec(text)?.groups ?? {};
  if (host === undefined || username === undefined || password === undefined) return null;
  return { host: nameOf(host), accountId: accountId ?? null, username, password };
}

/** The credentials for one call: those of its account go first. */
export function credentialsFor(
  list: readonly ReturnCredentials[],
  host: string,
  accountId: string,
): SipCredentials | null {
  const ofHost = list.filter((entry) => entry.host === nameOf(host));
  const found = [accountId, null].map((owner) => ofHost.find((entry) => entry.accountId === owner));
  const { username, password } = found.find((entry) => entry !== undefined) ?? {};
  return username === undefined || password === undefined ? null : { username, password };
}

function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
