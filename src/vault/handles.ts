/** What a saved card is charged by, sealed for its row and no other. */
import type { InstrumentId } from '../domain/ids.ts';
import type { HandleAtRest } from '../domain/instrument.ts';
import { CannotOpen, type Vault } from './vault.ts';

/** What a card's handle is sealed for. */
export const handleContext = (id: string) => `instrument:${id}`;

/** Opens for this card alone, whichever row it is copied to. */
export function sealHandle(vault: Vault, id: InstrumentId, handle: string): string {
  return vault.seal(handle, handleContext(id));
}

/** @returns null when it cannot be opened: its key is gone, or never was here */
export function openHandle(vault: Vault | null, { id, processorHandle, handleSealed }: HandleAtRest): string | null {
  if (!handleSealed) return processorHandle;
  if (vault === null) return null;
  try {
    return vault.open(processorHandle, handleContext(id));
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}
