/**
 * drachtio-fsmrf hangs up by itself where a FreeSWITCH has answered and its event socket does not come, and does not look how
 * that goes. A BYE to a dialog that the SIP server no longer knows fails, and a failure that nobody hears of stops the process.
 */

interface Dialog {
  /** With a callback it returns no promise. */
  destroy(...how: unknown[]): unknown;
}

interface Dialling {
  createUAC(uri: string, options: object): Promise<Dialog>;
}

/** The same library object, of whose dialogs a BYE may fail unheard; who waits for it hears of it as before. */
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
