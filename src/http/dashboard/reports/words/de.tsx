/** German words of the month-end report. */
import { numberText, plural } from '../../words/formats.ts';
import type { ReportWords } from './en.tsx';

export const de: ReportWords = {
  title: 'Monatsbericht',
  titleOf: (merchant, month) => `Monatsbericht, ${merchant}, ${month}`,
  lead: {
    live: (merchant, month, zone) => (
      <>
        {merchant}, {month}, Tage nach Zeitzone {zone}
      </>
    ),
    test: (merchant, month, zone) => (
      <>
        {merchant}, {month}, Tage nach Zeitzone {zone}, Testmodus
      </>
    ),
  },
  print: 'Drucken',
  filters: 'Händler und Monat',
  merchant: 'Händler',
  month: 'Monat',
  show: 'Anzeigen',
  empty: {
    title: (month) => `Keine Aktivität im ${month}`,
    text: 'Dieser Händler hatte in diesem Monat keine Zahlungen, Erstattungen, Anfechtungen oder Auszahlungen.',
  },
  notes:
    'Zahlungen und Erstattungen zählen zu dem Tag, an dem sie ausgeführt wurden. Netto ist Brutto abzüglich der Erstattungen. Anfechtungen und Gebühren werden nicht abgezogen. Auszahlungen zählen zu dem Tag, an dem sie eingehen, und nur bei Zahlungsanbietern, die sie melden.',
  noMerchants: {
    title: 'Noch keine Händler',
    text: 'Jeder Händler hat für jeden Monat einen Bericht. Legen Sie zuerst einen Händler an.',
    action: 'Händler hinzufügen',
  },
  totalsIn: (currency) => `Summen in ${currency}`,
  figures: {
    net: 'Netto',
    gross: 'Brutto',
    refunded: 'Erstattet',
    disputed: 'Angefochten',
    paidOut: 'Ausgezahlt',
  },
  grossLessRefunds: 'Brutto abzüglich Erstattungen',
  payments: (count) => plural(count, { one: '# Zahlung', other: '# Zahlungen' }),
  refunds: (count) => plural(count, { one: '# Erstattung', other: '# Erstattungen' }),
  disputes: (count) => plural(count, { one: '# Anfechtung', other: '# Anfechtungen' }),
  payouts: (count) => plural(count, { one: '# Auszahlung', other: '# Auszahlungen' }),
  lost: (amount) => `${amount} verloren`,
  fees: (amount) => `${amount} Gebühren`,
  shared: (count) => `${numberText(count)} gemeinsam mit anderen Händlern`,
  bySource: 'Nach Herkunft',
  bySourceIn: (currency) => `Zahlungen in ${currency} nach Herkunft`,
  byDay: 'Nach Tag',
  byDayIn: (currency) => `Zahlungen in ${currency} nach Tag`,
  sources: { phone: 'Anruf', page: 'Zahlungsseite', saved_card: 'Gespeicherte Karte' },
  heads: {
    source: 'Herkunft',
    day: 'Tag',
    payments: 'Zahlungen',
    gross: 'Brutto',
    refunded: 'Erstattet',
    net: 'Netto',
  },
};
