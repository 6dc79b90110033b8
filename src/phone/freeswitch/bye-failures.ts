/**
 * Works around a crash in drachtio-fsmrf 4.1.2: when a FreeSWITCH answers and its event socket never connects, the
 * library sends a BYE and does not catch its failure. The unhandled rejection would stop the process.
 */

interface Dialog {
  /** With a callback it returns no promise. */
  destroy(...how: unknown[]): unknown;
}

interface Dialling {
  createUAC(uri: string, options: object): Promise<Dialog>;
}

/**
 * The same library object, with dialogs whose failed BYEs are never unhandled. A caller that awaits one still gets the
 * failure.
 */
export function tolerateFailedByes(srf: object): object {
  const { createUAC } = srf as Dialling;
  const dial = async (...call: Parameters<Dialling['createUAC']>): Promise<Dialog> => {
    const dialog = await createUAC.apply(srf, call);
    const destroy = dialog.destroy.bind(dialog);
    return Object.assign(dialog, {
      destroy: (...how: unknown[]) => {
        const sent = destroy(...how);
        if (sent instanceof Promise) sent.catch(() => undefined);
        return sent;
      },
    });
  };
  return Object.create(srf, { createUAC: { value: dial } });
}
