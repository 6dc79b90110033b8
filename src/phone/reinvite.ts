/** Sends re-INVITEs in dialogs of drachtio-srf, and works around a bug in the library (5.0.29). */

export interface ModifiedDialog {
  /** Sends a re-INVITE; resolves to the far end's SDP. */
  modify(sdp: string, options?: { headers: Record<string, string> }): Promise<string>;
  /** Undocumented: the number of re-INVITEs in progress or waiting, and the functions that start the next one. */
  readonly _reinvitesInProgress: { count: number; admitOne: (() => void)[] };
}

/**
 * Sends a re-INVITE; resolves to the far end's SDP. The library sends one at a time, and counts a refused one as still
 * in progress (Dialog.modify), so all later ones would wait forever.
 * @throws the library's error, with a `status` if the far end refused
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
