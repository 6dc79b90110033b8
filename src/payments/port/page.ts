/** What the pay page loads from a processor, and the wallets that the processor shows there. See processor.ts. */
import type { PageTokens } from '../../contract/session-resource.ts';
import type { ProcessorAccess } from './credentials.ts';

/**
 * What the pay page's script needs from the processor. All of it is public. `environment`: the processor's own value.
 */
export type Tokenization = PageTokens;

/** Other origins that the pay page loads from or connects to, by Content-Security-Policy directive. */
export interface PageSources {
  script: readonly string[];
  frame: readonly string[];
  connect: readonly string[];
  img: readonly string[];
  style: readonly string[];
  font: readonly string[];
}

/** What the pay page loads for a processor, in one mode. Hosts are the ones that the vendor publishes. */
export interface ProcessorPage {
  /** Name of our browser module: `payments/<module>/browser/<module>.ts`. */
  module: string;
  /** The vendor's scripts in loading order, each with the reason why the page needs it (PCI DSS 6.4.3). */
  scripts: readonly { url: string; why: string }[];
  sources: PageSources;
  /**
   * What the page prepares for our module, as the template `card-inputs`, with labels in its language. `inputs`: the
   * vendor has a script and no fields, so the card is typed into inputs of the page. They have no names, so no form
   * contains them. `boxes`: elements into which the script puts a field each. If absent, the vendor shows a form of its own.
   */
  template?: 'inputs' | 'boxes';
}

/** The wallet buttons that the processor shows on the pay page. */
export interface LiveWallets {
  applePay: boolean;
  googlePay: boolean;
}

export const NO_WALLETS: LiveWallets = { applePay: false, googlePay: false };

export interface PageDomainRequest extends ProcessorAccess {
  /** The pay page's host name. */
  domain: string;
}
