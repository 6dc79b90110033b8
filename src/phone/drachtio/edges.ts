/**
 * Several drachtio-servers as one SIP edge. A call stays with the server that it came by: its dialogs name it
 * (`DialogFacts.server`), and its media legs are dialed through it. If that server is gone, another one continues its
 * dialogs from their facts.
 */
import {
  type CallLeg,
  type DialOptions,
  type HeldDialog,
  type IncomingCall,
  SERVER_HEADER,
  type SipEdge,
} from '../ports.ts';
import { DrachtioEdge, type EdgeOptions } from './edge.ts';

interface Dialing {
  createUAC(uri: string, options: { headers?: Record<string, unknown> }): Promise<unknown>;
}

export class DrachtioEdges implements SipEdge {
  readonly #edges: readonly DrachtioEdge[];

  /** @param servers at least one, each with its own name */
  constructor(servers: readonly EdgeOptions[]) {
    this.#edges = servers.map((options) => new DrachtioEdge(options, (edge) => this.#otherThan(edge)));
    for (const edge of this.#edges) edge.onMove(() => this.#moveLegs());
  }

  /** For the media adapter: dials through the server that {@link SERVER_HEADER} names, or another connected one. */
  get dialing(): object {
    const dialing: Dialing = {
      createUAC: (uri, options) => {
        const { [SERVER_HEADER]: server, ...headers } = options.headers ?? {};
        const { srf } = this.#edgeOf(typeof server === 'string' ? server : undefined);
        return (srf as unknown as Dialing).createUAC(uri, { ...options, headers });
      },
    };
    return dialing;
  }

  get connected(): boolean {
    return this.#edges.some(({ connected }) => connected);
  }

  get missing(): number {
    return this.#edges.filter(({ connected }) => !connected).length;
  }

  onCall(handler: (call: IncomingCall) => void): void {
    for (const edge of this.#edges) edge.onCall(handler);
  }

  takeCalls(taking: boolean, refuses = false): void {
    for (const edge of this.#edges) edge.takeCalls(taking, refuses);
  }

  dial(target: string, sdp: string, headers: Record<string, string>, options: DialOptions): Promise<CallLeg> {
    return this.#edgeOf(options.server).dial(target, sdp, headers, options);
  }

  lostDialog(dialog: HeldDialog & { localContact: string }): Pick<CallLeg, 'refer'> {
    return this.#edgeOf(dialog.facts?.server).lostDialog(dialog);
  }

  endDialogs(dialogs: readonly HeldDialog[]): void {
    for (const dialog of dialogs) {
      // Without facts, only the server that has the dialog can end it.
      const edges = dialog.facts === null ? this.#edges : [this.#edgeOf(dialog.facts.server)];
      for (const edge of edges) edge.endDialogs([dialog]);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#edges.map((edge) => edge.close()));
  }

  /** The named server, or a connected one if it is away or unknown. */
  #edgeOf(server: string | undefined): DrachtioEdge {
    const named = this.#edges.find(({ name }) => name === server);
    if (named?.connected) return named;
    const [first] = this.#edges;
    if (first === undefined) throw new Error('there is no SIP server');
    return this.#edges.find(({ connected }) => connected) ?? named ?? first;
  }

  #otherThan(edge: DrachtioEdge): DrachtioEdge | null {
    return this.#edges.find((other) => other !== edge && other.connected) ?? null;
  }

  #moveLegs(): void {
    for (const edge of this.#edges) edge.moveLegs();
  }
}
