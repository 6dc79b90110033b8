/** The interface between the page's script and the browser module of a processor: card fields, wallets, 3-D Secure. */
import type { FieldsConfig, StripeCardAction, Tokenized } from '../page-fields.ts';

export interface Places {
  /** Where the vendor's card field goes. */
  card: HTMLElement;
  /** Where wallets' buttons go; empty where none can be offered. */
  wallets: HTMLElement;
}

export interface TokenizeDetails {
  /** The payer agreed that the card be kept. */
  keepsCard: boolean;
}

export interface Fields {
  /**
   * Loads the vendor's script and shows its field. Resolves when the payer can type.
   * @param onWallet a wallet's button was used, and what it gave. @throws where the vendor's script is blocked or fails
   */
  mount(places: Places, onWallet: (result: Tokenized) => void): Promise<void>;
  /** Never throws. */
  tokenize(details: TokenizeDetails): Promise<Tokenized>;
  /**
   * Shows the bank's dialog (3-D Secure). Never throws. `refused`: the bank or the payer said no; else it was not
   * shown.
   */
  act(action: StripeCardAction): Promise<'done' | 'refused' | 'not_shown'>;
}

export interface FieldsModule {
  create(config: FieldsConfig, tools: Tools): Fields;
}

/** What the page's script gives to a module. */
export interface Tools {
  /** Loads a script of the vendor. @throws where it does not come */
  loadScript(url: string): Promise<void>;
}

declare global {
  interface Window {
    /** Set by the processor's module, which is loaded before the page's script. */
    ringkeyFields?: FieldsModule;
  }
}
