/** German words of the refunds' pages. */
import { numberText, plural } from '../../words/formats.ts';
import type { RefundWords } from './en.ts';

export const de: RefundWords = {
  title: 'Erstattungen',
  label: 'Erstattungen, neueste zuerst',
  kind: 'Erstattung',
  titleOf: (id) => `Erstattung ${id}`,
  chargeFilter: 'Abbuchung',
  totals: 'Summen dieser Erstattungen',
  counted: (refunds, succeeded, currency) =>
    plural(refunds, {
      one: `# Erstattung in ${currency}, ${numberText(succeeded)} erfolgreich`,
      other: `# Erstattungen in ${currency}, ${numberText(succeeded)} erfolgreich`,
    }),
  pending: 'Unbestätigt',
  refunded: 'Erstattet',
  heads: {
    refund: 'Erstattung',
    amount: 'Betrag',
    status: 'Status',
    merchant: 'Händler',
    caller: 'Anrufer',
    source: 'Herkunft',
    reason: 'Grund',
    created: 'Erstellt',
  },
  atProcessor: 'Zahlungsanbieter',
  empty: {
    title: 'Noch keine Erstattungen',
    text: 'Eine Erstattung zahlt eine Abbuchung ganz oder teilweise auf die Karte zurück, mit der bezahlt wurde. Erstatten Sie eine Abbuchung auf ihrer Seite oder mit der API.',
    action: 'Erstattungen in der API',
  },
  activity: 'Verlauf',
  metadata: 'Metadaten',
  outcomes: {
    succeeded: 'Vom Zahlungsanbieter erstattet',
    pending: 'Erstattung unbestätigt',
    pendingMore:
      'Der Zahlungsanbieter hat das Ergebnis noch nicht bestätigt. Legen Sie keine weitere Erstattung an: Diese Seite und der Webhook melden das Ergebnis.',
    failed: 'Erstattung fehlgeschlagen',
    failedMore: 'Es wurde nichts erstattet.',
  },
  facts: {
    charge: 'Abbuchung',
    refunded: 'Erstattet',
    refundPending: 'Erstattung unbestätigt',
    refundedOf: (refunded, all) => `${refunded} von ${all}`,
    card: 'Karte',
    caller: 'Anrufer',
    checkout: 'Bezahlvorgang',
    merchant: 'Händler',
    source: 'Herkunft',
    processorsDashboard: 'Dashboard des Zahlungsanbieters',
    reason: 'Grund',
    reference: 'Referenz des Zahlungsanbieters',
    created: 'Erstellt',
  },
};
