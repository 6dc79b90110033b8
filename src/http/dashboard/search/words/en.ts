/** English words of the search. */
export const en = {
  title: 'Search',
  results: (text: string) => `Results for “${text}”`,
  noResults: 'No results',
  newestOnly: 'Only the newest are shown.',
  all: {
    merchants: 'All merchants',
    calls: 'All calls',
    charges: 'All charges',
    checkouts: 'All checkouts',
  },
  /** @param all such as “All charges” @param filter such as “Caller” */
  by: (all: string, filter: string) => `${all}: ${filter}`,
  start: 'Search this account',
  help: 'Enter any ID in this mode to open its page. To find merchants, enter part of the name. To find calls, charges and checkouts, enter a phone number (all of it or its last 4 to 10 digits), an order, a platform call ID or the last four digits of a card.',
  back: 'Back to the lists',
  caller: 'Caller',
  callers: 'Callers',
  merchants: 'Merchants',
  calls: 'Calls',
  charges: 'Charges',
  checkouts: 'Checkouts',
  withheld: 'Number withheld',
  heads: {
    caller: 'Caller',
    outcome: 'Outcome',
    amount: 'Amount',
    merchant: 'Merchant',
    id: 'ID',
    started: 'Started',
    status: 'Status',
    card: 'Card',
    created: 'Created',
    refund: 'Refund',
  },
};

export type SearchWords = typeof en;
