/** The pool of FreeSWITCH servers: the least loaded one first, the next one if it cannot take the call. */

import type { MediaResponse } from '../load/overload.ts';
import { type KeySink, type MediaLeg, type MediaPool, NoMedia } from '../ports.ts';
import { FreeswitchServer, type LegOptions, type ServerOptions } from './server.ts';

export class FreeswitchPool implements MediaPool {
  readonly #servers: FreeswitchServer[];
  /** The server of each leg. */
  readonly #homes = new WeakMap<MediaLeg, FreeswitchServer>();
  #onChange: () => void = () => undefined;

  /** `srf`: the SIP edge's library object. */
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

  answerOffer(offerSdp: string, onKey: KeySink | null): Promise<MediaLeg> {
    return this.#first(this.#byLoad(), offerSdp, { onKey });
  }

  makeOffer(onKey: KeySink | null, beside?: MediaLeg): Promise<MediaLeg> {
    if (beside === undefined) return this.#first(this.#byLoad(), null, { onKey });
    const home = this.#homes.get(beside);
    return this.#first(home === undefined ? [] : [home], null, { onKey, plain: true });
  }

  takeUnendedKeys(instead: MediaLeg, remoteSdp: string, onKey: KeySink): Promise<MediaLeg> {
    const home = this.#homes.get(instead);
    return this.#first(home === undefined ? [] : [home], remoteSdp, { onKey, takesUnendedKeys: true });
  }

  replace(lost: MediaLeg, onKey: KeySink): Promise<MediaLeg> {
    const home = this.#homes.get(lost);
    const others = this.#byLoad().filter((server) => server !== home);
    return this.#first(others, null, { onKey });
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #byLoad(): FreeswitchServer[] {
    return this.#servers.filter(({ up }) => up).sort((one, other) => one.load - other.load);
  }

  async #first(servers: readonly FreeswitchServer[], offerSdp: string | null, options: LegOptions): Promise<MediaLeg> {
    let failure = new NoMedia('no_server');
    for (const server of servers) {
      try {
        const leg = await server.createLeg(offerSdp, options);
        this.#homes.set(leg, server);
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
