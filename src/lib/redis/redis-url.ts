/**
 * The forms of REDIS_URL: one server (`redis://`), servers that Sentinels watch (`redis+sentinel://host,host/master`) and
 * a cluster (`redis+cluster://host,host`), each also with TLS (`rediss`).
 */

interface RedisNode {
  host: string;
  port: number;
}

interface Access {
  username?: string;
  password?: string;
  tls?: object;
}

export type RedisTarget =
  | { kind: 'single'; url: string }
  | {
      kind: 'sentinel';
      nodes: RedisNode[];
      access: Access;
      /** The name by which the Sentinels know the master. */
      master: string;
      database: number;
      /** Password of the Sentinels themselves. */
      sentinelPassword?: string;
    }
  | { kind: 'cluster'; nodes: RedisNode[]; access: Access };

const FORM =
  /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^@/?]+)(?:\/([^/?]+))?(?:\/(\d+))?(?:\?sentinel_password=([^&]+))?$/;
const NODE = /^(\[[\da-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i;
const PORTS = { sentinel: 26_379, cluster: 6_379 };

/** Everything that does not begin like the other forms names a single server. @returns null for a malformed URL */
export function parseRedisUrl(url: string): RedisTarget | null {
  if (!/^rediss?\+/.test(url)) return { kind: 'single', url };
  const [, scheme, kind, credentials, hosts = '', master, database, sentinelPassword] = FORM.exec(url) ?? [];
  if (kind !== 'sentinel' && kind !== 'cluster') return null;
  const nodes = hosts.split(',').map((host) => parseNode(host, PORTS[kind]));
  if (![credentials, sentinelPassword].every(isEncoded)) return null;
  const access = accessOf(credentials, scheme === 'rediss');
  if (!nodes.every((node) => node !== null)) return null;
  if (kind === 'cluster') return master === undefined ? { kind, nodes, access } : null;
  if (master === undefined) return null;
  return {
    kind,
    nodes,
    access,
    master,
    database: Number(database ?? 0),
    ...(sentinelPassword !== undefined && { sentinelPassword: decodeURIComponent(sentinelPassword) }),
  };
}

function parseNode(text: string, defaultPort: number): RedisNode | null {
  const [, host, port] = NODE.exec(text.trim()) ?? [];
  if (host === undefined) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) };
}

function accessOf(credentials = '', hasTls: boolean): Access {
  const [username = '', ...password] = credentials.split(':');
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password.length > 0 && { password: decodeURIComponent(password.join(':')) }),
    ...(hasTls && { tls: {} }),
  };
}

/** Whether it is percent-encoded as in a URL. */
function isEncoded(text = ''): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
