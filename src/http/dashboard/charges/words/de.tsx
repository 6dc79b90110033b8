/** German words of the charges' pages. */
import { numberText, plural } from '../../words/formats.ts';
import type { ChargeWords } from './en.tsx';

export const de: ChargeWords = {
  title: 'Abbuchungen',
  label: 'Abbuchungen, neueste zuerst',
  kind: 'Abbuchung',
  titleOf: (id) => `Abbuchung ${id}`,
  filters: { attention: 'Zu erledigen', decline: 'Ablehnungsgrund', countedAs: 'Gezählt als' },
  needsAttention: 'Nur offene Punkte',
  countedAs: {
    succeeded: 'Erfolgreich oder reserviert',
    failed: 'Fehlgeschlagen',
    completed: 'Abgeschlossen',
    pending: 'Unbestätigt',
  },
  totals: 'Summen dieser Abbuchungen',
  reasons: 'Gründe dieser fehlgeschlagenen Abbuchungen',
  counted: (charges, succeeded, currency) =>
    plural(charges, {
      one: `# Abbuchung in ${currency}, ${numberText(succeeded)} erfolgreich`,
      other: `# Abbuchungen in ${currency}, ${numberText(succeeded)} erfolgreich`,
    }),
  sums: { gross: 'Brutto', refunded: 'Erstattet', net: 'Netto' },
  heads: {
    amount: 'Betrag',
    status: 'Status',
    card: 'Karte',
    merchant: 'Händler',
    caller: 'Anrufer',
    order: 'Bestellung',
    source: 'Herkunft',
    created: 'Erstellt',
  },
  sources: { phone: 'Anruf', saved_card: 'Gespeicherte Karte', page: 'Zahlungsseite' },
  withoutCaller: 'Gespeicherte Karte, ohne den Anrufer',
  empty: {
    title: 'Noch keine Abbuchungen',
    text: 'Abbuchungen erscheinen hier, sobald Anrufer bezahlen: im Anruf, mit gespeicherten Karten oder auf der Zahlungsseite.',
    action: 'Testkarten',
  },
  badges: {
    returned: 'Zurückgegeben',
    captureFailed: 'Einzug fehlgeschlagen',
    partiallyRefunded: 'Teilweise erstattet',
    refunded: 'Erstattet',
    refundPending: 'Erstattung unbestätigt',
    partRefundedPartPending: 'Teils erstattet, teils unbestätigt',
    cardSaved: 'Karte gespeichert',
    paidLate: 'Verspätet bestätigt: bitte prüfen',
    duplicate: 'Doppelt: bitte prüfen',
  },
  causes: {
    declined: 'Abgelehnt',
    not_received: 'Nie beim Zahlungsanbieter angekommen',
    not_processed: 'Nicht verarbeitet',
    merchant: 'Fehlgeschlagen',
  },
  activity: 'Verlauf',
  pending: {
    title: 'Der Zahlungsanbieter hat das Ergebnis noch nicht bestätigt',
    text: 'Ringkey fragt weiter nach. Bitten Sie den Anrufer nicht, noch einmal zu bezahlen: Diese Seite und der Webhook melden das Ergebnis.',
  },
  facts: {
    card: 'Karte',
    paidFrom: 'Konto des Zahlers',
    tip: 'Trinkgeld',
    leftToPay: 'Noch zu zahlen',
    debited: 'Lastschrift angenommen',
    returned: 'Von der Bank zurückgegeben',
    captureFailed: 'Einzug fehlgeschlagen',
    captureBefore: 'Einzuziehen bis',
    captured: 'Eingezogen',
    fee: 'Gebühr',
    net: 'Netto',
    payout: 'Auszahlung',
    arrival: (day) => `Eingang am ${day}`,
    refunded: 'Erstattet',
    refundPending: 'Erstattung unbestätigt',
    source: 'Herkunft',
    checkout: 'Bezahlvorgang',
    call: 'Anruf',
    duplicateOf: 'Duplikat von',
    order: 'Bestellung',
    caller: 'Anrufer',
    merchant: 'Händler',
    processor: 'Zahlungsanbieter',
    reference: 'Referenz des Zahlungsanbieters',
    processorCode: 'Code des Zahlungsanbieters',
    created: 'Erstellt',
    settled: 'Abgeschlossen',
  },
  late: {
    title: 'Diese Abbuchung galt als fehlgeschlagen, die Karte wurde aber doch belastet',
    text: 'Vielleicht hat der Anrufer gehört, dass nichts abgebucht wurde. Die Bestellung gilt als bezahlt. Liefern Sie sie aus, oder erstatten Sie die Abbuchung.',
    wasDuplicate: 'Diese Abbuchung war doppelt, und die andere Abbuchung ist erstattet',
    duplicateRefundPending:
      'Diese Abbuchung ist vielleicht doppelt, und die Erstattung der anderen Abbuchung ist unbestätigt',
    maybeDuplicate: 'Diese Abbuchung ist vielleicht doppelt',
    other: (other, status) => (
      <>
        Sie galt als fehlgeschlagen, der Zahlungsanbieter hat die Karte aber doch belastet. Die Abbuchung {other} gehört
        zum selben Bezahlvorgang oder zur selben Bestellung und ist {status.toLowerCase()}.
      </>
    ),
    wait: 'Warten Sie auf deren Ergebnis, bevor Sie eine von beiden erstatten.',
    refund: (amount) => `${amount} als doppelt erstatten`,
    seen: (at) => <>Als gesehen markiert: {at}.</>,
    markSeen: 'Als gesehen markieren',
  },
  amountIn: (currency) => `Betrag in ${currency}`,
  next: 'Weiter',
  noAmount: (example) => `Geben Sie einen Betrag wie ${example} ein.`,
  back: 'Zurück zur Abbuchung',
  nothingChanged: 'Es wurde nichts geändert',
  hold: {
    titles: { capture: 'Einziehen', void: 'Freigeben' },
    lead: (amount, card) => (
      <>
        Reservierung von {amount} auf {card}
      </>
    ),
    most: (amount) => `Höchstens ${amount}. Der Rest wird freigegeben.`,
    capture: (amount) => `${amount} einziehen`,
    captureAll: 'Das ist der gesamte reservierte Betrag. Der Einzug lässt sich nicht rückgängig machen.',
    captureRest: (rest) => `Der Rest von ${rest} wird freigegeben. Der Einzug lässt sich nicht rückgängig machen.`,
    release: (amount) => `${amount} freigeben`,
    releaseText: 'Es wird nichts abgebucht. Das lässt sich nicht rückgängig machen.',
    noAnswer: 'Der Zahlungsanbieter hat nicht geantwortet',
  },
  refund: {
    title: 'Erstatten',
    lead: (amount, card) => (
      <>
        Abbuchung von {amount}, bezahlt mit {card}
      </>
    ),
    most: (amount) => `Sie können höchstens ${amount} erstatten.`,
    left: (amount) => `${amount} können erstattet werden.`,
    half: (amount) => `Hälfte: ${amount}`,
    reason: 'Grund',
    noReason: 'Keine Angabe',
    submit: (amount) => `${amount} erstatten`,
    confirm: (amount, card) => `${amount} auf ${card} erstatten`,
    live: 'Dabei fließt echtes Geld. Das lässt sich nicht rückgängig machen.',
    test: 'Im Testmodus fließt kein echtes Geld.',
    before: (amount) => `${amount} dieser Abbuchung sind schon erstattet oder werden gerade erstattet.`,
    refused: 'Es wurde nichts erstattet',
    sentBefore: 'Dieses Formular wurde schon gesendet',
    sentBeforeText:
      'Wenn Sie es noch einmal senden, entsteht keine weitere Erstattung. Den Status der Erstattung sehen Sie bei der Abbuchung.',
    unknown: 'Der Zahlungsanbieter hat die Erstattung noch nicht bestätigt',
    stillLeft: (left, all) => `${left} von ${all} können noch erstattet werden.`,
    noneLeft: (all) => `Der gesamte Betrag von ${all} ist schon erstattet oder wird gerade erstattet.`,
    again: 'Von vorn beginnen',
  },
};
