/** Which applications have subscribed to which SIP methods. Requests go to them in turn. */
import type { AppConnection } from './app-connection.ts';

export class Routes {
  readonly #byVerb = new Map<string, AppConnection[]>();

  /** A second subscription of the same application changes nothing. */
  add(verb: string, connection: AppConnection): void {
    const wanting = this.#byVerb.get(verb.toLowerCase()) ?? [];
    if (!wanting.includes(connection)) wanting.push(connection);
    this.#byVerb.set(verb.toLowerCase(), wanting);
  }

  /** Ends all its subscriptions: on `remove_route` of one method, too, drachtio-server forgets them all. */
  forget(connection: AppConnection): void {
    for (const [verb, wanting] of this.#byVerb)
      this.#byVerb.set(
        verb,
        wanting.filter((one) => one !== connection),
      );
  }

  /** The next application in turn; undefined when none has subscribed to the method. */
  next(method: string): AppConnection | undefined {
    const wanting = this.#byVerb.get(method.toLowerCase());
    const first = wanting?.shift();
    if (first) wanting?.push(first);
    return first;
  }
}
