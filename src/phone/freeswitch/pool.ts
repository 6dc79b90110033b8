/**
 * The pool of FreeSWITCH servers: those of the settings, and those that DNS names. The least loaded one gets the next
 * call, and if it cannot take it, the next one does.
 */

import type { BaseLogger } from 'pino';
import type { MediaServerState } from '../../db/calls/media-servers.ts';
import type { MediaResponse } from '../load/overload.ts';
import type { DrainablePool } from '../media-drains.ts';
import { type KeySink, type MediaLeg, type MediaPool, NoMedia } from '../ports.ts';
import { audioOffered } from './encrypted-offers.ts';
import { MediaLookup, type ResolveSrv, type SrvRecord } from './media-lookup.ts';
import { FreeswitchServer, type LegOptions, type ServerOptions } from './server.ts';
import { inCallOrder } from './server-order.ts';

/** Servers that are found by DNS SRV. */
export interface FoundServers {
  srvName: string;
  /** Default: the DNS servers of this machine. */
  resolveSrv?: ResolveSrv;
  /** Default: 30 seconds. */
  lookEveryMs?: number;
  /** @param place the lowest number that no other server of the pool has */
  optionsOf: (address: string, port: number, place: number) => Omit<ServerOptions, 'log'>;
}

interface Member {
  server: FreeswitchServer;
  /** Host and port of its event socket. */
  name: string;
  isFixed: boolean;
  place: number;
  priority: number;
  weight: number;
  /** DNS no longer names it: it gets no new calls, and is closed after the last one. */
  isLeaving: boolean;
  /** Live and arriving calls. A bridge to the agent is part of its call. */
  calls: number;
}

/** RFC 2782 for the servers of the settings. */
const FIXED = { isFixed: true, priority: 0, weight: 1 } as const;

export class FreeswitchPool implements MediaPool, DrainablePool {
  readonly #srf: object;
  readonly #log: ServerOptions['log'];
  readonly #found: FoundServers | null;
  readonly #lookup: MediaLookup | null = null;
  #members: Member[];
  /** Of servers that are being closed: their ports for event sockets are not free yet. */
  readonly #closingPlaces = new Set<number>();
  /** Where each leg is, and the SIP server that it was dialed through. */
  readonly #homes = new WeakMap<MediaLeg, { member: Member; sipServer: string | undefined }>();
  #drained: ReadonlySet<string> = new Set();
  #onChange: () => void = () => undefined;

  /** `srf`: dials through the SIP edge. */
  constructor(
    srf: object,
    fixed: readonly Omit<ServerOptions, 'log'>[],
    log: Pick<BaseLogger, 'info' | 'warn' | 'error'>,
    found: FoundServers | null = null,
  ) {
    this.#srf = srf;
    this.#log = log;
    this.#found = found;
    this.#members = fixed.map((options, place) => this.#memberOf(options, { ...FIXED, place }));
    if (found === null) return;
    this.#lookup = new MediaLookup({ ...found, onFound: (records) => this.#use(records), log });
  }

  get connected(): boolean {
    return this.#takers().length > 0;
  }

  get states(): MediaServerState[] {
    return this.#members.map(({ server, name, isLeaving, calls }) => ({
      host: name,
      isConnected: server.up,
      isLeaving,
      isDrained: this.#drained.has(name),
      calls,
    }));
  }

  setDrained(hosts: readonly string[]): void {
    const before = this.#drained;
    this.#drained = new Set(hosts);
    const isKnown = (host: string) => this.#members.some(({ name }) => name === host);
    const isChanged = (host: string) => isKnown(host) && before.has(host) !== this.#drained.has(host);
    const changed = [...before, ...hosts].filter(isChanged);
    if (changed.length === 0) return;
    this.#log.info({ changed, drained: hosts.filter(isKnown) }, 'drained media servers changed');
    this.#onChange();
  }

  /** Failed DNS lookups of media servers so far. */
  get failedLookups(): number {
    return this.#lookup?.failures ?? 0;
  }

  /** Response times of the fastest server; 0 without a server. While one server is fast, the pool can take calls. */
  get response(): MediaResponse {
    const servers = this.#takers().map(({ server }) => server);
    const least = (times: readonly number[]) => (times.length === 0 ? 0 : Math.min(...times));
    return {
      mediaAnswerMs: least(servers.map(({ answerTime }) => answerTime.ms)),
      mediaReplyMs: least(servers.map(({ replyTime }) => replyTime.ms)),
    };
  }

  onChange(handler: () => void): void {
    this.#onChange = handler;
  }

  answerOffer(offerSdp: string, onKey: KeySink | null, sipServer?: string): Promise<MediaLeg> {
    return this.#first(this.#inOrder(), offerSdp, { onKey, sipServer });
  }

  makeOffer(onKey: KeySink | null, sipServer?: string): Promise<MediaLeg> {
    return this.#first(this.#inOrder(), null, { onKey, sipServer });
  }

  makeOfferBeside(beside: MediaLeg): Promise<MediaLeg> {
    return this.#atHomeOf(beside, null, { onKey: null, isBeside: true });
  }

  takeUnendedKeys(instead: MediaLeg, remoteSdp: string, onKey: KeySink): Promise<MediaLeg> {
    return this.#atHomeOf(instead, remoteSdp, { onKey, takesUnendedKeys: true });
  }

  async replace(lost: MediaLeg, onKey: KeySink): Promise<MediaLeg> {
    if (audioOffered(lost.localSdp).sdes) throw new NoMedia('encryption');
    const home = this.#homes.get(lost);
    const others = this.#inOrder().filter((member) => member !== home?.member);
    return this.#first(others, null, { onKey, sipServer: home?.sipServer });
  }

  async close(): Promise<void> {
    await this.#lookup?.close();
    await Promise.all(this.#members.map(({ server }) => server.close()));
  }

  #memberOf(
    options: Omit<ServerOptions, 'log'>,
    facts: Pick<Member, 'isFixed' | 'place' | 'priority' | 'weight'>,
  ): Member {
    const onChange = () => {
      if (!member.server.up && !member.isLeaving) this.#lookup?.lookAgain();
      this.#onChange();
    };
    const server = new FreeswitchServer(this.#srf, { ...options, log: this.#log }, onChange);
    const member: Member = {
      ...facts,
      server,
      name: nameOf(options.address, options.port),
      isLeaving: false,
      calls: 0,
    };
    return member;
  }

  /** From now on DNS names these servers. */
  #use(records: readonly SrvRecord[]): void {
    const named = new Map(records.map((record) => [nameOf(record.name, record.port), record]));
    const found = this.#members.filter(({ isFixed }) => !isFixed);
    const before = found.filter(({ isLeaving }) => !isLeaving).map(({ name }) => name);
    for (const member of found) {
      const record = named.get(member.name);
      member.isLeaving = record === undefined;
      member.priority = record?.priority ?? member.priority;
      member.weight = record?.weight ?? member.weight;
    }
    for (const [name, record] of named) {
      if (!this.#members.some((member) => member.name === name)) this.#add(record);
    }
    const now = [...named.keys()];
    if (before.toSorted().join() !== now.toSorted().join()) {
      this.#log.info({ servers: now }, 'media servers found by DNS changed');
    }
    this.#closeLeft();
    this.#onChange();
  }

  #add({ name, port, priority, weight }: SrvRecord): void {
    if (this.#found === null) return;
    const taken = new Set([...this.#members.map(({ place }) => place), ...this.#closingPlaces]);
    let place = 0;
    while (taken.has(place)) place += 1;
    const options = this.#found.optionsOf(name, port, place);
    this.#members.push(this.#memberOf(options, { isFixed: false, place, priority, weight }));
  }

  /** Closes the servers that DNS no longer names and that have no more calls. */
  #closeLeft(): void {
    const left = this.#members.filter(({ isLeaving, server }) => isLeaving && server.load === 0);
    this.#members = this.#members.filter((member) => !left.includes(member));
    for (const member of left) {
      this.#closingPlaces.add(member.place);
      void this.#closeServer(member);
    }
  }

  async #closeServer({ server, name, place }: Member): Promise<void> {
    await server.close();
    this.#closingPlaces.delete(place);
    this.#log.info({ server: name }, 'media server closed');
  }

  /** The servers that can take a new call. */
  #takers(): Member[] {
    return this.#members.filter(({ server, name, isLeaving }) => server.up && !isLeaving && !this.#drained.has(name));
  }

  #inOrder(): Member[] {
    const loaded = this.#takers().map((member) => ({ member, ...member, load: member.server.load }));
    return inCallOrder(loaded).map(({ member }) => member);
  }

  #atHomeOf(leg: MediaLeg, offerSdp: string | null, options: LegOptions): Promise<MediaLeg> {
    const home = this.#homes.get(leg);
    return this.#first(home ? [home.member] : [], offerSdp, { ...options, sipServer: home?.sipServer });
  }

  async #first(members: readonly Member[], offerSdp: string | null, options: LegOptions): Promise<MediaLeg> {
    let failure = new NoMedia('no_server');
    for (const member of members) {
      try {
        return await this.#createLeg(member, offerSdp, options);
      } catch (error) {
        if (!(error instanceof NoMedia)) throw error;
        failure = error;
        // Every server has the same codecs and the same policy.
        if (error.reason === 'no_common_codec' || error.reason === 'encryption') break;
      }
    }
    throw failure;
  }

  async #createLeg(member: Member, offerSdp: string | null, options: LegOptions): Promise<MediaLeg> {
    const calls = options.isBeside === true ? 0 : 1;
    const end = () => {
      member.calls -= calls;
      this.#closeLeft();
    };
    member.calls += calls;
    try {
      const leg = await member.server.createLeg(offerSdp, options);
      this.#homes.set(leg, { member, sipServer: options.sipServer });
      void leg.lost.then(end);
      return leg;
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Names a media server by the address of its event socket, as in the settings and in DNS. */
function nameOf(address: string, port: number): string {
  return `${address}:${port}`;
}
