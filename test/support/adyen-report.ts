/**
 * Adyen's settlement details report of batch 12, with the columns of
 * docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report.
 */
import { MERCHANT_ACCOUNT } from './fake-adyen-requests.ts';

const HEAD = [
  ...['Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Payment Method', 'Creation Date'],
  ...['TimeZone', 'Type', 'Modification Reference', 'Gross Currency', 'Gross Debit (GC)', 'Gross Credit (GC)'],
  ...['Exchange Rate', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)', 'Commission (NC)', 'Markup (NC)'],
  ...[
    'Scheme Fees (NC)',
    'Interchange (NC)',
    'Payment Method Variant',
    'Modification Merchant Reference',
    'Batch Number',
  ],
];

/** Currency, debit and credit. */
type Sides = readonly [string, string, string];

interface Row {
  type: string;
  net: Sides;
  gross?: Sides;
  /** Commission, markup, scheme fees and interchange. */
  costs?: readonly [string, string, string, string];
  psp?: string;
  reference?: string;
  created?: string;
}

export function adyenRow({ type, net, gross = ['', '', ''], costs = ['', '', '', ''], ...row }: Row): string {
  const { psp = '', reference = '', created = '2026-11-24 11:26:49' } = row;
  const about = ['TestCompany', MERCHANT_ACCOUNT, psp, '', 'visa', created, 'CET', type, reference];
  const fields = [...about, ...gross, '1', ...net, ...costs, 'visaclassic', '', '12', ''];
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
}

/** Without a line break at its end. */
export const adyenReport = (rows: readonly string[]): string => [`${HEAD.join(',')},Reserved4`, ...rows].join('\n');
