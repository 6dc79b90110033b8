/** Sends re-INVITEs in dialogs of drachtio-srf, past a fault of the library (5.0.29). */

/** What this needs of a dialog. */
export interface ModifiedDialog {
  /** Sends a re-INVITE; resolves to the far end's SDP. */
  modify(sdp: string, options?: { headers: Record<string, string> }): Promise<string>;
  /** Undocumented: the number of re-INVITEs under way or waiting, and what lets the next one go. */
  readonly _reinvitesInProgress: { count: number; admitOne: (() => void)[] };
}

/**
 * Sends a re-INVITE; resolves to the far end's SDP. The library sends one at a time, and takes one that was refused to
 * be still under way (Dialog.modify): all later ones would wait for ever.
 * @throws what the library throws; with a `status` where the far end refused
 */
export async function reinvite(
  dialog: ModifiedDialog,
  sdp: string,
  headers: Record<string, string> | null = null,
): Promise<string> {
  try {
    return await (headers === null ? dialog.modify(sdp) : dialog.modify(sdp, { headers }));
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'status' in error) {
      const { _reinvitesInProgress: reinvites } = dialog;
      reinvites.count -= 1;
      reinvites.admitOne.shift()?.();
    }
    throw error;
  }
}
