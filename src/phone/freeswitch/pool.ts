/** The media servers: least loaded first; one that can't take a call passes it to the next. */
import { type MediaLeg, type MediaPool, NoMedia } from '../ports.ts';
import { FreeswitchServer, type ServerOptions } from './server.ts';

export class FreeswitchPool implements MediaPool {
  readonly #servers: FreeswitchServer[];

  /** `srf`: the SIP edge's library object. */
  constructor(srf: object, servers: readonly ServerOptions[]) {
    this.#servers = servers.map((options) => new FreeswitchServer(srf, options));
  }

  get connected(): boolean {
    return this.#servers.some(({ up }) => up);
  }

  answerOffer(offerSdp: string): Promise<MediaLeg> {
    return this.#first(this.#byLoad(), offerSdp);
  }

  makeOffer(beside?: MediaLeg): Promise<MediaLeg> {
    const servers = beside === undefined ? this.#byLoad() : this.#servers.filter((server) => server.has(beside.id));
    return this.#first(servers, null);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #byLoad(): FreeswitchServer[] {
    return this.#servers.filter(({ up }) => up).sort((one, other) => one.load - other.load);
  }

  async #first(servers: readonly FreeswitchServer[], offerSdp: string | null): Promise<MediaLeg> {
    let failure = new NoMedia('no_server');
    for (const server of servers) {
      try {
        return await server.createLeg(offerSdp);
      } catch (error) {
        if (!(error instanceof NoMedia)) throw error;
        failure = error;
        // Another server would have no other codecs.
        if (error.reason === 'no_common_codec') break;
      }
    }
    throw failure;
  }
}
