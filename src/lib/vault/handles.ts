/** Encrypts the processor's handle of a saved card, for its row and no other. */
import type { InstrumentId } from '../../domain/ids.ts';
import type { HandleAtRest } from '../../domain/instrument.ts';
import { openOrNull, type Vault } from './vault.ts';

/** The encryption context of a card's handle. */
export const handleContext = (id: string) => `instrument:${id}`;

/** Encrypts a handle so that it can be opened for this card only, even if it is copied to another row. */
export function sealHandle(vault: Vault, id: InstrumentId, handle: string): string {
  return vault.seal(handle, handleContext(id));
}

/** @returns null when it cannot be opened: its key is gone, or never was here */
export function openHandle(vault: Vault | null, { id, processorHandle, handleSealed }: HandleAtRest): string | null {
  return handleSealed ? openOrNull(vault, processorHandle, handleContext(id)) : processorHandle;
}
