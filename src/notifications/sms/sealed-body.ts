/** Encrypts the bodies of texts with a secret, each for its row only. */
import { openOrNull, type Vault } from '../../lib/vault/vault.ts';

/** The encryption context of a text's body. @param id `txt_…` */
export const textContext = (id: string) => `text:${id}`;

export function sealBody(vault: Vault, id: string, body: string): string {
  return vault.seal(body, textContext(id));
}

/** The body of a text, encrypted or not. @returns null if its key is missing */
export function openBody(
  vault: Vault | null,
  { id, body, sealedBody }: { id: string; body: string; sealedBody: string | null },
): string | null {
  return sealedBody === null ? body : openOrNull(vault, sealedBody, textContext(id));
}
