/**
 * Works around a crash in drachtio-fsmrf 4.1.2: if a FreeSWITCH answers but its event socket never connects, the
 * library sends a BYE without catching its failure. The unhandled rejection would end the process.
 */

interface Dialog {
  /** Returns no promise if given a callback. */
  destroy(...how: unknown[]): unknown;
}

interface Dialing {
  createUAC(uri: string, options: object): Promise<Dialog>;
}

/**
 * The same library object, but a failed BYE of its dialogs is never an unhandled rejection. A caller that awaits the
 * BYE still gets the failure.
 */
export function tolerateFailedByes(srf: object): object {
  const { createUAC } = srf as Dialing;
  const dial = async (...call: Parameters<Dialing['createUAC']>): Promise<Dialog> => {
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
