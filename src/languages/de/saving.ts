import type { SavingWords } from '../saving.ts';

export const saving: SavingWords = {
  instead: {
    testCard: 'Nehmen Sie 4242 4242 4242 4242, ein künftiges Datum und einen beliebigen Prüfcode.',
    pay: (business) => `Karte speichern für ${business}`,
    until: (when) => `Die Karte kann bis ${when} gespeichert werden.`,
    support: 'Fragen zum Speichern Ihrer Karte?',
    faultsHeading: 'Bitte prüfen Sie Ihre Eingaben',
    withoutScript:
      'Um auf dieser Seite eine Karte zu speichern, wird JavaScript gebraucht, das in diesem Browser ausgeschaltet ist. Schalten Sie es ein, oder öffnen Sie den Link in einem anderen Browser.',
    withoutScriptKeypad:
      'Um auf dieser Seite eine Karte zu speichern, wird JavaScript gebraucht, das in diesem Browser ausgeschaltet ist. Sie können die Karte auch mit den Tasten Ihres Telefons eingeben: Sagen Sie das einfach im Gespräch.',
    working: {
      heading: 'Ihre Karte wird geprüft',
      text: 'Das dauert einige Sekunden. Lassen Sie diese Seite offen.',
    },
    action: {
      heading: 'Ihre Bank bittet um Bestätigung',
      text: 'Bitte bestätigen Sie bei Ihrer Bank, dass diese Karte gespeichert werden darf. Es wird nichts abgebucht.',
    },
    paid: {
      heading: 'Karte gespeichert',
      text: (business) => `Vielen Dank. Ihre Karte ist für ${business} gespeichert. Es wurde nichts abgebucht.`,
    },
    notTaken: { heading: 'Die Karte wurde nicht gespeichert' },
    pending: { heading: 'Ihre Karte wird noch geprüft' },
    onPhone: {
      heading: 'Am Telefon wird eine Karte gespeichert',
      text: 'Die Karte aus Ihrem Anruf wird gerade geprüft. Hier müssen Sie nichts tun.',
    },
    onCall: {
      asking: 'Am Telefon werden Sie jetzt nach Ihrer Karte gefragt. Sie können sie stattdessen hier eingeben.',
      keying: 'Am Telefon wird gerade eine Karte eingegeben.',
      paying: 'Die Karte vom Telefon wird gerade geprüft. Bitte geben Sie hier keine Karte ein.',
      waiting: 'Ihr Anruf wartet, während Sie Ihre Karte hier speichern.',
      leaving: 'Sie werden wieder mit Ihrem Gesprächspartner verbunden.',
    },
    alreadyPaid: {
      heading: 'Karte schon gespeichert',
      text: 'Am Telefon wurde eine Karte gespeichert. Sie müssen nichts weiter tun.',
    },
    expired: {
      heading: 'Dieser Link ist abgelaufen',
      text: (business) => `Hier kann keine Karte mehr gespeichert werden. Bitten Sie ${business} um einen neuen Link.`,
    },
    gone: {
      heading: 'Hier kann keine Karte gespeichert werden',
      text: 'Im Moment können hier keine Karten gespeichert werden. Es wurde nichts abgebucht.',
    },
    otherAttempt:
      'In einem anderen Fenster oder am Telefon wurde bereits eine Karte gespeichert. Es wird nur eine gespeichert.',
    notStarted:
      'Ihre Karte konnte nicht geprüft werden, es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
    sentBefore:
      'Dieses Formular wurde bereits gesendet, deshalb wurde diesmal keine Karte gespeichert. Bitte geben Sie Ihre Karte noch einmal ein.',
  },
  browser: {
    working: 'Karte wird geprüft …',
    still: 'Ihre Karte wird noch geprüft. Lassen Sie diese Seite offen.',
    offline:
      'Die Verbindung ist unterbrochen. Ihre Eingaben bleiben erhalten und werden von selbst noch einmal gesendet. Es wird nichts abgebucht.',
    unsent:
      'Es kam keine Antwort, deshalb steht noch nicht fest, ob Ihre Karte gespeichert ist. Ihre Eingaben sind noch da: Prüfen Sie Ihre Verbindung, und drücken Sie noch einmal auf die Schaltfläche. Es wird nichts abgebucht.',
    blocked:
      'Die Kartenfelder konnten nicht geladen werden: Etwas blockiert sie, oder die Verbindung ist unterbrochen. Laden Sie die Seite neu, oder geben Sie die Karte am Telefon in Ihrem Anruf ein.',
    not_shown:
      'Die Abfrage Ihrer Bank konnte nicht angezeigt werden, und es wurde nichts abgebucht. Laden Sie die Seite neu, oder drücken Sie „Nicht bestätigen“, um eine andere Karte zu nehmen.',
    unavailable:
      'Ihre Karte konnte nicht geprüft werden, es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
  },
  button: 'Karte speichern',
  notCharged: 'Jetzt wird nichts abgebucht.',
  terms: {
    returning: (business) => `${business} verwendet diese Karte nur, wenn Sie sie für eine Zahlung auswählen.`,
    merchant_initiated: (business, max) =>
      max === null
        ? `${business} kann diese Karte später belasten, ohne Sie noch einmal zu fragen, wie unten beschrieben.`
        : `${business} kann diese Karte später belasten, ohne Sie noch einmal zu fragen, wie unten beschrieben und höchstens mit ${max} je Abbuchung.`,
  },
  pendingText: 'Es steht noch nicht fest, ob Ihre Karte gespeichert ist. Es wurde nichts abgebucht.',
  outcomeByText:
    'Es steht noch nicht fest, ob Ihre Karte gespeichert ist: Wir schicken Ihnen eine SMS, sobald wir es wissen. Es wurde nichts abgebucht.',
  receipt: { caption: 'Bestätigung', to: 'Gespeichert für' },
};
