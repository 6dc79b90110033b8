/** Encrypts the words of texts that hold a secret, each for its row and no other. */
import { openOrNull, type Vault } from '../../lib/vault/vault.ts';

/** The encryption context of a text's words. @param id `txt_…` */
export const textContext = (id: string) => `text:${id}`;

export function sealBody(vault: Vault, id: string, body: string): string {
  return vault.seal(body, textContext(id));
}

/** The words of a text, whichever way they are kept. @returns null when they cannot be opened: their key is gone */
export function openBody(
  vault: Vault | null,
  { id, body, sealedBody }: { id: string; body: string; sealedBody: string | null },
): string | null {
  return sealedBody === null ? body : openOrNull(vault, sealedBody, textContext(id));
}
