/** English words of the command palette and the list of shortcuts. */
import type { VNode } from 'preact';

export const en = {
  palette: 'Command palette',
  label: 'Go to a page, search, or run a command',
  hint: 'Page, search or command',
  results: 'Results',
  shortcuts: 'Keyboard shortcuts',
  keys: {
    palette: 'Command palette (⌘ K on a Mac)',
    search: 'Search',
    next: 'Next item of a list',
    previous: 'Previous item of a list',
    help: 'This list',
  },
  singleKeys: 'Use single-key shortcuts in this browser',
  close: 'Close',
  groups: {
    commands: 'Commands',
    pages: 'Go to',
    open: 'Open',
    merchants: 'Merchants',
    callers: 'Callers',
    charges: 'Charges',
    refund: 'Refund',
    calls: 'Calls',
    checkouts: 'Checkouts',
    search: 'Search',
  },
  commands: {
    testCall: 'Place a test call',
    merchant: 'Add merchant',
    key: 'Create API key',
    endpoint: 'Add webhook endpoint',
    alert: 'Add alert',
    user: 'Invite user',
  },
  /** Other words that find a command. */
  keywords: { signOut: 'Log out logout', theme: 'Appearance color scheme mode night' },
  theme: (name: string) => `Theme: ${name}`,
  pages: {
    wall: 'Wall board',
    tail: 'Live tail',
  },
  refund: (amount: string) => `Refund ${amount}`,
  /** Of a charge that is refunded in part. */
  refundRest: (left: string, all: string) => `Refund ${left} left of ${all}`,
  chargesOf: (merchant: VNode) => <>Charges of {merchant}</>,
  reportOf: (merchant: VNode) => <>Month-end report of {merchant}</>,
  allResults: 'All results',
  withheld: 'Number withheld',
};

export type PaletteWords = typeof en;
