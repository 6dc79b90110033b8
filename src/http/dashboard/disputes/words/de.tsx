/** German words of the disputes' pages. */
import { plural } from '../../words/formats.ts';
import type { DisputeWords } from './en.tsx';

export const de: DisputeWords = {
  title: 'Anfechtungen',
  label: 'Anfechtungen, neueste zuerst',
  kind: 'Anfechtung',
  titleOf: (id) => `Anfechtung ${id}`,
  chargeFilter: 'Abbuchung',
  totals: 'Summen dieser Anfechtungen',
  counted: (disputes, currency) =>
    plural(disputes, { one: `# Anfechtung in ${currency}`, other: `# Anfechtungen in ${currency}` }),
  sums: { disputed: 'Angefochten', won: 'Gewonnen', lost: 'Verloren', open: 'Offen' },
  heads: {
    dispute: 'Anfechtung',
    amount: 'Betrag',
    status: 'Status',
    reason: 'Grund',
    evidenceDue: 'Nachweise bis',
    dueShort: 'Frist',
    created: 'Erstellt',
  },
  empty: {
    title: 'Noch keine Anfechtungen',
    text: 'Eine Anfechtung erscheint hier, wenn die Bank eines Zahlers eine Abbuchung beanstandet. Richten Sie die Meldungen des Zahlungsanbieters auf der Seite jedes Händlers ein.',
    action: 'Anfechtungen in der Dokumentation',
  },
  activity: 'Verlauf',
  facts: {
    charge: 'Abbuchung',
    checkout: 'Bezahlvorgang',
    merchant: 'Händler',
    kind: 'Art',
    reason: 'Grund',
    processorCode: 'Code des Zahlungsanbieters',
    evidenceDue: 'Nachweise bis',
    processor: 'Zahlungsanbieter',
    reference: 'Referenz des Zahlungsanbieters',
    created: 'Erstellt',
    updated: 'Geändert',
  },
  answer: {
    titles: {
      inquiry: 'Die Bank des Zahlers fragt nach dieser Zahlung',
      chargeback: 'Die Bank des Zahlers ficht diese Zahlung an',
    },
    text: 'Reichen Sie Nachweise im Dashboard des Zahlungsanbieters ein, oder akzeptieren Sie die Anfechtung dort.',
    until: (at) => <>Der Zahlungsanbieter nimmt Nachweise bis {at} an.</>,
    show: 'Anfechtung anzeigen',
  },
  opened: {
    inquiry: (amount) => `Rückfrage der Bank zu ${amount}`,
    chargeback: (amount) => `Die Bank hat ${amount} angefochten`,
  },
  changed: (status) => `Neuer Status der Anfechtung: ${status}`,
};
