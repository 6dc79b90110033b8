/** The media servers that `ringkey media` lists, from the reports of the phone processes. */
import type { MediaDrain, MediaReport } from '../db/calls/media-servers.ts';
import { CommandFailed } from './context.ts';

/** `away`: no phone process is connected to it. `leaving`: DNS no longer names it. */
type Status = 'in use' | 'drained' | 'leaving' | 'away';

export interface MediaServer {
  host: string;
  status: Status;
  /** Live and arriving calls, of all phone processes. */
  calls: number;
  /** RINGKEY_INSTANCE of the connected phone processes. */
  processes: string[];
  /** Null if it is not drained. */
  drain: MediaDrain | null;
}

/** All servers that phone processes know, and drained ones that they do not. */
export function mediaServersFrom(reports: readonly MediaReport[], drains: readonly MediaDrain[]): MediaServer[] {
  const hosts = [...new Set([...reports, ...drains].map(({ host }) => host))].sort();
  return hosts.map((host) => {
    const own = reports.filter((report) => report.host === host);
    const drain = drains.find((one) => one.host === host) ?? null;
    return {
      host,
      status: statusOf(own, drain),
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
      processes: own.filter(({ isConnected }) => isConnected).map(({ instance }) => instance),
      drain,
    };
  });
}

function statusOf(reports: readonly MediaReport[], drain: MediaDrain | null): Status {
  if (drain !== null) return 'drained';
  if (!reports.some(({ isConnected }) => isConnected)) return 'away';
  return reports.every(({ isLeaving }) => isLeaving) ? 'leaving' : 'in use';
}

/** @param name `host:port`, or the host alone if it has one port @throws CommandFailed if no server has the name, or several */
export function serverNamed(name: string, servers: readonly MediaServer[]): MediaServer {
  const hostOf = ({ host }: MediaServer) => host.slice(0, host.lastIndexOf(':'));
  const found = servers.filter((server) => server.host === name || hostOf(server) === name);
  const [server] = found;
  if (server !== undefined && found.length === 1) return server;
  const list = (all: readonly MediaServer[]) => all.map(({ host }) => host).join(', ');
  if (found.length > 1) throw new CommandFailed(`${name} names several media servers. Add the port: ${list(found)}`);
  if (servers.length === 0) throw new CommandFailed(`unknown media server ${name}: no phone process is running`);
  throw new CommandFailed(`unknown media server ${name}. The phone processes know ${list(servers)}`);
}

/** The phone processes that know this server, and have no other one for new calls. */
export function processesWithoutOther(
  host: string,
  reports: readonly MediaReport[],
  drained: readonly string[],
): string[] {
  const takesCalls = (report: MediaReport) =>
    report.host !== host && report.isConnected && !report.isLeaving && !drained.includes(report.host);
  const withOther = new Set(reports.filter(takesCalls).map(({ leaseId }) => leaseId));
  const alone = reports.filter((report) => report.host === host && !withOther.has(report.leaseId));
  return [...new Set(alone.map(({ instance }) => instance))];
}
