/** Which applications want which requests, taken in turn. */
import type { AppConnection } from './app-connection.ts';

export class Routes {
  readonly #byVerb = new Map<string, AppConnection[]>();

  /** Asking twice counts once. */
  add(verb: string, connection: AppConnection): void {
    const wanting = this.#byVerb.get(verb.toLowerCase()) ?? [];
    if (!wanting.includes(connection)) wanting.push(connection);
    this.#byVerb.set(verb.toLowerCase(), wanting);
  }

  remove(verb: string, connection: AppConnection): void {
    const left = (this.#byVerb.get(verb.toLowerCase()) ?? []).filter((one) => one !== connection);
    this.#byVerb.set(verb.toLowerCase(), left);
  }

  forget(connection: AppConnection): void {
    for (const verb of this.#byVerb.keys()) this.remove(verb, connection);
  }

  /** The next one in turn, undefined when nobody wants the method. */
  next(method: string): AppConnection | undefined {
    const wanting = this.#byVerb.get(method.toLowerCase());
    const first = wanting?.shift();
    if (first) wanting?.push(first);
    return first;
  }
}
