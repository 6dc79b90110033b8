/** The pool of FreeSWITCH servers: the least loaded one first, the next one if it cannot take the call. */

import type { MediaResponse } from '../load/overload.ts';
import { type KeySink, type MediaLeg, type MediaPool, NoMedia } from '../ports.ts';
import { FreeswitchServer, type LegOptions, type ServerOptions } from './server.ts';

export class FreeswitchPool implements MediaPool {
  readonly #servers: FreeswitchServer[];
  /** Where each leg is, and the SIP server that it was dialed through. */
  readonly #homes = new WeakMap<MediaLeg, { server: FreeswitchServer; sipServer: string | undefined }>();
  #onChange: () => void = () => undefined;

  /** `srf`: dials through the SIP edge. */
  constructor(srf: object, servers: readonly ServerOptions[]) {
    this.#servers = servers.map((options) => new FreeswitchServer(srf, options, () => this.#onChange()));
  }

  get connected(): boolean {
    return this.#servers.some(({ up }) => up);
  }

  /** Response times of the fastest server; 0 without a server. While one server is fast, the pool can take calls. */
  get response(): MediaResponse {
    const servers = this.#servers.filter(({ up }) => up);
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
    return this.#first(this.#byLoad(), offerSdp, { onKey, sipServer });
  }

  makeOffer(onKey: KeySink | null, sipServer?: string): Promise<MediaLeg> {
    return this.#first(this.#byLoad(), null, { onKey, sipServer });
  }

  makeOfferBeside(beside: MediaLeg): Promise<MediaLeg> {
    return this.#atHomeOf(beside, null, { onKey: null, plain: true });
  }

  takeUnendedKeys(instead: MediaLeg, remoteSdp: string, onKey: KeySink): Promise<MediaLeg> {
    return this.#atHomeOf(instead, remoteSdp, { onKey, takesUnendedKeys: true });
  }

  replace(lost: MediaLeg, onKey: KeySink): Promise<MediaLeg> {
    const home = this.#homes.get(lost);
    const others = this.#byLoad().filter((server) => server !== home?.server);
    return this.#first(others, null, { onKey, sipServer: home?.sipServer });
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #byLoad(): FreeswitchServer[] {
    return this.#servers.filter(({ up }) => up).sort((one, other) => one.load - other.load);
  }

  #atHomeOf(leg: MediaLeg, offerSdp: string | null, options: LegOptions): Promise<MediaLeg> {
    const home = this.#homes.get(leg);
    return this.#first(home ? [home.server] : [], offerSdp, { ...options, sipServer: home?.sipServer });
  }

  async #first(servers: readonly FreeswitchServer[], offerSdp: string | null, options: LegOptions): Promise<MediaLeg> {
    let failure = new NoMedia('no_server');
    for (const server of servers) {
      try {
        const leg = await server.createLeg(offerSdp, options);
        this.#homes.set(leg, { server, sipServer: options.sipServer });
        return leg;
      } catch (error) {
        if (!(error instanceof NoMedia)) throw error;
        failure = error;
        // Every server has the same codecs and the same policy.
        if (error.reason === 'no_common_codec' || error.reason === 'encryption') break;
      }
    }
    throw failure;
  }
}
