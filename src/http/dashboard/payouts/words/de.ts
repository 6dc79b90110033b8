/** German words of the payouts' pages. */
import { plural } from '../../words/formats.ts';
import type { PayoutWords } from './en.ts';

export const de: PayoutWords = {
  title: 'Auszahlungen',
  lead: 'Was die Zahlungsanbieter auf die Bankkonten Ihrer Händler auszahlen.',
  label: 'Auszahlungen, neueste zuerst',
  kind: 'Auszahlung',
  titleOf: (id) => `Auszahlung ${id}`,
  totals: 'Summen dieser Auszahlungen',
  counted: (payouts, currency) =>
    plural(payouts, { one: `# Auszahlung in ${currency}`, other: `# Auszahlungen in ${currency}` }),
  sums: { pending: 'Ausstehend', paid: 'Ausgezahlt' },
  heads: {
    payout: 'Auszahlung',
    amount: 'Betrag',
    status: 'Status',
    arrival: 'Eingang',
    arrivalShort: 'Eingang',
    processor: 'Zahlungsanbieter',
    created: 'Erstellt',
  },
  empty: {
    title: 'Noch keine Auszahlungen',
    text: 'Eine Auszahlung erscheint hier, wenn ein Zahlungsanbieter sie Ringkey meldet. Richten Sie die Meldungen jedes Händlers ein, mit den Ereignissen für Auszahlungen.',
    action: 'Auszahlungen in der Dokumentation',
  },
  contents: 'Inhalt',
  noContents: 'Der Zahlungsanbieter gibt nicht an, was sie enthält.',
  allEntries: 'Alle Posten und CSV',
  asList: 'Posten als Liste und CSV',
  facts: {
    merchant: 'Händler',
    arrival: 'Eingang',
    processor: 'Zahlungsanbieter',
    reference: 'Referenz des Zahlungsanbieters',
    created: 'Erstellt',
    updated: 'Geändert',
  },
  entries: {
    title: 'Auszahlungsposten',
    lead: 'Jede Abbuchung, Erstattung, Anfechtung und Gebühr in einer Auszahlung. Um einen Tag abzugleichen, filtern Sie nach dem Eingang und exportieren CSV.',
    label: 'Auszahlungsposten, neueste zuerst',
    totals: 'Summen dieser Posten',
    counted: (entries, currency) =>
      plural(entries, { one: `# Posten in ${currency}`, other: `# Posten in ${currency}` }),
    sums: { gross: 'Brutto', fees: 'Gebühren', net: 'Netto' },
    heads: { kind: 'Art', charge: 'Abbuchung', order: 'Bestellung', gross: 'Brutto', fee: 'Gebühr', net: 'Netto' },
    empty: {
      title: 'Noch keine Auszahlungsposten',
      text: 'Sie erscheinen hier mit den Auszahlungen der Zahlungsanbieter.',
    },
  },
};
