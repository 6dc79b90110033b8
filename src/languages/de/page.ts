/** German, with Sie. */
import type { PageWords } from '../page.ts';

export const page: PageWords = {
  name: 'Deutsch',
  language: 'Sprache',
  testMode: 'Testmodus: Es fließt kein echtes Geld.',
  testCard: 'Zahlen Sie mit 4242 4242 4242 4242, einem künftigen Datum und einem beliebigen Prüfcode.',
  pay: (business) => `Zahlung an ${business}`,
  payButton: (amount) => `${amount} zahlen`,
  hold: (business) => `Reservierung für ${business}`,
  holdButton: (amount) => `${amount} reservieren`,
  testWallet: 'Mit der Test-Wallet zahlen',
  forNumber: (lastTwo) => `Für die Telefonnummer mit den Endziffern ${lastTwo}`,
  until: (when) => `Zahlbar bis ${when}.`,
  support: 'Fragen zu dieser Zahlung?',
  terms: 'AGB',
  privacy: 'Datenschutz',
  order: 'Bestellung',
  items: 'Posten',
  total: 'Summe',
  part: {
    heading: 'Wie viel möchten Sie zahlen?',
    all: (amount) => `Alles: ${amount}`,
    label: 'Oder einen Teil zahlen',
    atLeast: (minimum) => `mindestens ${minimum}`,
    use: 'Diesen Betrag anzeigen',
    fault: (minimum, amount) => `Geben Sie einen Betrag von ${minimum} bis ${amount} ein.`,
  },
  tip: { heading: 'Trinkgeld geben', none: 'Kein Trinkgeld', of: (percent, amount) => `${percent}: ${amount}` },
  card: 'Karte',
  fields: {
    number: { label: 'Kartennummer', hint: null },
    expiry: { label: 'Gültig bis', hint: 'MM / JJ' },
    security_code: {
      label: 'Prüfcode',
      hint: '3 Ziffern auf der Rückseite, bei American Express 4 auf der Vorderseite',
    },
    postal_code: { label: 'Postleitzahl', hint: null },
  },
  faults: {
    number_missing: 'Geben Sie die Kartennummer ein.',
    number_incomplete: 'Die Kartennummer ist zu kurz.',
    number_wrong: 'Prüfen Sie die Kartennummer: Eine Ziffer ist falsch oder fehlt.',
    number_not_accepted: 'Diese Kartenart wird hier nicht angenommen. Nehmen Sie eine andere Karte.',
    expiry_missing: 'Geben Sie das Ablaufdatum ein.',
    expiry_wrong: 'Geben Sie Monat und Jahr ein, zum Beispiel 04 / 29.',
    expiry_past: 'Das Ablaufdatum liegt in der Vergangenheit.',
    security_code_missing: 'Geben Sie den Prüfcode ein.',
    security_code_wrong: 'Der Prüfcode hat die falsche Länge.',
    postal_code_missing: 'Geben Sie die Postleitzahl ein.',
    postal_code_wrong: 'Prüfen Sie die Postleitzahl.',
    consent_missing: 'Setzen Sie das Häkchen, wenn Sie einverstanden sind. Sonst wird Ihre Karte nicht gespeichert.',
  },
  faultsHeading: 'Bitte prüfen Sie Ihre Kartendaten',
  keepCard: 'Diese Karte für meine nächsten Zahlungen hier speichern, auf dieser Seite oder am Telefon.',
  encrypted: 'Ihre Kartendaten werden verschlüsselt gesendet.',
  saved: {
    heading: 'Mit einer gespeicherten Karte zahlen',
    question: 'Haben Sie hier schon einmal eine Karte gespeichert?',
    offer: (lastTwo) => `Zuerst senden wir einen Code an die Telefonnummer mit den Endziffern ${lastTwo}.`,
    ask: 'Code per SMS senden',
    sent: (lastTwo) => `Der Code ging an die Nummer mit den Endziffern ${lastTwo}. Er gilt fünf Minuten.`,
    code: 'Code aus der SMS',
    show: 'Meine Karten anzeigen',
    again: 'Neuen Code senden',
    faults: {
      wrong: 'Das ist nicht der Code. Geben Sie die sechs Ziffern aus der neuesten SMS ein.',
      over: 'Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.',
      limit:
        'Zurzeit können keine weiteren Codes gesendet werden. Geben Sie oben eine Karte ein, oder versuchen Sie es später noch einmal.',
    },
    none: 'Für diese Nummer ist hier keine Karte gespeichert. Geben Sie oben eine Karte ein.',
    payWith: (amount, card, expiry) => `${amount} zahlen mit ${card}, gültig bis ${expiry}`,
    holdWith: (amount, card, expiry) => `${amount} reservieren auf ${card}, gültig bis ${expiry}`,
  },
  withoutScript:
    'Für die Kartenzahlung auf dieser Seite wird JavaScript gebraucht, das in diesem Browser ausgeschaltet ist. Schalten Sie es ein, oder öffnen Sie den Link in einem anderen Browser.',
  withoutScriptKeypad:
    'Für die Kartenzahlung auf dieser Seite wird JavaScript gebraucht, das in diesem Browser ausgeschaltet ist. Sie können auch mit den Tasten Ihres Telefons zahlen: Sagen Sie das einfach im Gespräch.',
  loadingFields: 'Die Kartenfelder werden geladen …',

  working: {
    heading: 'Ihre Zahlung läuft',
    text: 'Das dauert einige Sekunden. Lassen Sie diese Seite offen, und zahlen Sie nicht noch einmal.',
  },
  action: {
    heading: 'Ihre Bank bittet um Bestätigung',
    text: 'Bitte bestätigen Sie die Zahlung bei Ihrer Bank. Erst danach wird abgebucht.',
  },
  paid: { heading: 'Bezahlt', text: (business) => `Vielen Dank. ${business} hat Ihre Zahlung erhalten.` },
  held: {
    heading: 'Betrag reserviert',
    text: (amount, business) =>
      `Wir haben ${amount} für ${business} auf Ihrer Karte reserviert. Es wurde noch nichts abgebucht.`,
  },
  holdNotice: (business) =>
    `Der Betrag wird auf Ihrer Karte nur reserviert. ${business} bucht ihn später ab oder gibt ihn frei.`,
  declined: { heading: 'Die Karte wurde abgelehnt' },
  notTaken: { heading: 'Die Zahlung kam nicht zustande' },
  noMoreAttempts: { heading: 'Keine weiteren Versuche' },
  pending: { heading: 'Ihre Zahlung ist noch nicht bestätigt' },
  orderPending: { heading: 'Diese Bestellung wird gerade bezahlt' },
  onPhone: {
    heading: 'Die Zahlung läuft am Telefon',
    text: 'In Ihrem Anruf läuft gerade eine Zahlung. Hier müssen Sie nichts tun.',
  },
  onCall: {
    asking: 'Am Telefon werden Sie jetzt nach Ihrer Karte gefragt. Sie können stattdessen hier zahlen.',
    keying: 'Am Telefon wird gerade eine Karte eingegeben.',
    paying: 'Die Karte vom Telefon wird gerade belastet. Bitte zahlen Sie nicht hier.',
    waiting: 'Ihr Anruf wartet, während Sie hier zahlen.',
    leaving: 'Sie werden wieder mit Ihrem Gesprächspartner verbunden.',
  },
  alreadyPaid: { heading: 'Schon bezahlt', text: 'Es wurde am Telefon bezahlt. Es ist nichts mehr zu zahlen.' },
  alreadyPaidInPart: {
    heading: 'Zum Teil bezahlt',
    text: 'Ein Teil wurde am Telefon bezahlt. Der Rest kann auf dieser Seite nicht bezahlt werden.',
  },
  alreadyHeld: {
    heading: 'Betrag schon reserviert',
    text: 'Für diese Bestellung ist der Betrag bereits reserviert. Sie müssen nichts weiter tun.',
  },
  expired: {
    heading: 'Dieser Link ist abgelaufen',
    text: (business) => `Hier kann nicht mehr gezahlt werden. Bitten Sie ${business} um einen neuen Link.`,
  },
  nothingToPay: { heading: 'Nichts zu zahlen', text: 'Im Moment ist hier nichts zu zahlen.' },
  gone: {
    heading: 'Hier kann nicht gezahlt werden',
    text: 'Im Moment können hier keine Zahlungen angenommen werden. Es wurde nichts abgebucht.',
  },
  notFound: {
    heading: 'Dieser Link funktioniert nicht',
    text: 'Öffnen Sie noch einmal den ganzen Link aus Ihrer Nachricht. Hilft das nicht, bitten Sie um einen neuen.',
  },
  tooMany: {
    heading: 'Zu viele Versuche',
    text: 'Warten Sie eine Minute, und öffnen Sie dann den Link aus Ihrer Nachricht noch einmal.',
  },
  notOurs: {
    heading: 'Bitte öffnen Sie den Link noch einmal',
    text: 'Dieses Formular kam nicht von unserer Seite, es wurde nichts abgebucht. Öffnen Sie den Link aus Ihrer Nachricht noch einmal.',
  },
  failed: {
    heading: 'Bei uns ist etwas schiefgegangen',
    text: 'Öffnen Sie die Seite gleich noch einmal. Sie sagt Ihnen, ob gezahlt wurde; zahlen Sie so lange nicht auf anderem Weg.',
  },

  otherAttempt: 'Die Zahlung lief schon in einem anderen Fenster oder am Telefon. Es wird nur einmal abgebucht.',
  notStarted:
    'Die Zahlung konnte nicht begonnen werden, es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
  sentBefore:
    'Dieses Formular wurde bereits gesendet, deshalb wurde diesmal nichts abgebucht. Bitte geben Sie Ihre Karte noch einmal ein.',
  confirm: 'Bestätigen',
  doNotConfirm: 'Nicht bestätigen',
  browser: {
    working: 'Zahlung läuft …',
    still: 'Die Zahlung läuft noch. Lassen Sie diese Seite offen, und zahlen Sie nicht noch einmal.',
    offline:
      'Die Verbindung ist unterbrochen. Ihre Eingaben bleiben erhalten, und die Zahlung wird von selbst noch einmal gesendet. Es wird nur einmal abgebucht.',
    unsent:
      'Es kam keine Antwort, deshalb steht noch nicht fest, ob gezahlt wurde. Ihre Eingaben sind noch da: Prüfen Sie Ihre Verbindung, und drücken Sie noch einmal auf die Schaltfläche. Es wird nur einmal abgebucht.',
    slow: 'Die Kartenfelder werden langsam geladen. Bitte warten Sie, oder prüfen Sie Ihre Verbindung.',
    blocked:
      'Die Kartenfelder konnten nicht geladen werden: Etwas blockiert sie, oder die Verbindung ist unterbrochen. Laden Sie die Seite neu, oder zahlen Sie am Telefon in Ihrem Anruf.',
    incomplete: 'Bitte prüfen Sie Ihre Kartendaten.',
    declined: 'Diese Karte konnte nicht verwendet werden. Bitte nehmen Sie eine andere.',
    not_shown:
      'Die Abfrage Ihrer Bank konnte nicht angezeigt werden, und es wurde nichts abgebucht. Laden Sie die Seite neu, oder drücken Sie „Nicht bestätigen“, um anders zu bezahlen.',
    not_verified:
      'Ihre Bank konnte Ihre Identität nicht bestätigen. Versuchen Sie es noch einmal, oder nehmen Sie eine andere Karte.',
    unavailable:
      'Die Zahlung konnte nicht begonnen werden, es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
  },
  checkAgain: 'Noch einmal nachsehen',
  toThePage: 'Zurück zur Zahlung',
  continueTo: (host) => `Weiter zu ${host}`,
  followsSoon: 'Sie werden in wenigen Sekunden dorthin geleitet.',
  stay: 'Auf dieser Seite bleiben',
  receipt: {
    caption: 'Beleg',
    amount: 'Betrag',
    tip: 'Davon Trinkgeld',
    remaining: 'Noch zu zahlen',
    to: 'Bezahlt an',
    business: 'Unternehmen',
    card: 'Karte',
    cardEnding: (brand, lastFour) => `${brand ?? 'Karte'} mit den Endziffern ${lastFour}`,
    account: 'Bankkonto',
    accountEnding: (lastFour) => (lastFour === null ? 'US-Bankkonto' : `Konto mit den Endziffern ${lastFour}`),
    when: 'Datum',
    refunded: 'Erstattet',
    refundPending: 'Erstattung unbestätigt',
    reference: 'Beleg-Nr.',
  },
};
