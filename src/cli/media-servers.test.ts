import { describe, expect, it } from 'vitest';
import type { MediaReport } from '../db/calls/media-servers.ts';
import { mediaServersFrom, processesWithoutOther, serverNamed } from './media-servers.ts';

const report = (host: string, leaseId: number, facts: Partial<MediaReport> = {}): MediaReport => ({
  host,
  leaseId,
  instance: `phone-${leaseId}`,
  isConnected: true,
  isLeaving: false,
  isDrained: false,
  calls: 0,
  ...facts,
});
const drain = (host: string) => ({ host, drainedAt: new Date(0), drainedBy: 'root at host' });

describe('the list of media servers', () => {
  it('adds up the calls of all phone processes, and names those that are connected', () => {
    const reports = [report('a:8021', 1, { calls: 2 }), report('a:8021', 2, { calls: 3, isConnected: false })];
    expect(mediaServersFrom(reports, [])).toMatchObject([
      { host: 'a:8021', status: 'in use', calls: 5, processes: ['phone-1'] },
    ]);
  });

  it('has drained servers that no phone process knows', () => {
    expect(mediaServersFrom([], [drain('a:8021')])).toMatchObject([
      { host: 'a:8021', status: 'drained', processes: [] },
    ]);
  });

  it('says which servers are away, and which ones DNS no longer names', () => {
    const reports = [report('a:8021', 1, { isConnected: false }), report('b:8021', 1, { isLeaving: true })];
    expect(mediaServersFrom(reports, []).map(({ status }) => status)).toEqual(['away', 'leaving']);
  });
});

describe('the name of a media server', () => {
  const servers = mediaServersFrom([report('a:8021', 1), report('a:8022', 1), report('b:8021', 1)], []);

  it('needs no port if the host has only one', () => {
    expect(serverNamed('b', servers).host).toBe('b:8021');
    expect(serverNamed('a:8022', servers).host).toBe('a:8022');
  });

  it('is refused with the possible ones if it is unknown or names several servers', () => {
    expect(() => serverNamed('c', servers)).toThrow('unknown media server c. The phone processes know a:8021, a:8022');
    expect(() => serverNamed('a', servers)).toThrow('a names several media servers. Add the port: a:8021, a:8022');
    expect(() => serverNamed('a', [])).toThrow('unknown media server a: no phone process is running');
  });
});

describe('the phone processes without another media server', () => {
  it.each([
    ['no other one', []],
    ['one that is away', [report('b:8021', 1, { isConnected: false })]],
    ['one that DNS no longer names', [report('b:8021', 1, { isLeaving: true })]],
    ['one of another process', [report('b:8021', 2)]],
    ['a drained one', [report('c:8021', 1)]],
  ])('are those that have %s', (_what, others) => {
    expect(processesWithoutOther('a:8021', [report('a:8021', 1), ...others], ['c:8021'])).toEqual(['phone-1']);
  });

  it('are none if each has another one', () => {
    const reports = [report('a:8021', 1), report('b:8021', 1), report('b:8021', 2)];
    expect(processesWithoutOther('a:8021', reports, [])).toEqual([]);
  });
});
