/** Digest credentials (RFC 8760) of the hosts that we call, and the accounts whose calls can use them. */

export interface SipCredentials {
  username: string;
  password: string;
}

export interface ReturnCredentials extends SipCredentials {
  /** Lower case, without brackets. Only a `return_to` with this host gets the credentials. */
  host: string;
  /** Null: all accounts. */
  accountId: string | null;
}

const ENTRY =
  /^(?:(?<accountId>acct_\w+)@)?(?<host>[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])=(?<username>[^":\\\s]+):(?<password>[!-~]+)$/i;

/** Parses `host=user:password` or `acct_…@host=user:password`. Null if malformed. */
export function parseReturnCredentials(text: string): ReturnCredentials | null {
  const { accountId, host, username, password } = ENTRY.exec(text)?.groups ?? {};
  if (host === undefined || username === undefined || password === undefined) return null;
  return { host: nameOf(host), accountId: accountId ?? null, username, password };
}

/** The credentials for one call. Those of its account take precedence. */
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
