/** The interface between the page's script and a processor's browser module: card fields, wallets, 3-D Secure. */
import type { FieldsConfig, StripeCardAction, Tokenized } from '../port/page-fields.ts';

export interface Places {
  /** The place of the vendor's card field. */
  card: HTMLElement;
  /** The place of wallet buttons. It stays empty if there are none. */
  wallets: HTMLElement;
}

interface TokenizeDetails {
  /** The payer agreed to save the card. */
  keepsCard: boolean;
}

export interface Fields {
  /**
   * Loads the vendor's script and shows its field. Resolves when the payer can type.
   * @param onWallet called with the result of a wallet button
   * @throws if the vendor's script is blocked or fails
   */
  mount(places: Places, onWallet: (result: Tokenized) => void): Promise<void>;
  /** Never throws. */
  tokenize(details: TokenizeDetails): Promise<Tokenized>;
  /** Shows the bank's challenge (3-D Secure). Never throws. `refused`: the bank or the payer rejected it. */
  act(action: StripeCardAction): Promise<'done' | 'refused' | 'not_shown'>;
}

interface FieldsModule {
  create(config: FieldsConfig, tools: Tools): Fields;
}

/** Functions that the page's script provides to a module. */
export interface Tools {
  /** Loads a script of the vendor. @throws if it does not load */
  loadScript(url: string): Promise<void>;
}

declare global {
  interface Window {
    /** Set by the processor's module, which loads before the page's script. */
    ringkeyFields?: FieldsModule;
  }
}
