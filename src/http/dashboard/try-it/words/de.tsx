/** German words of "Try it". */
import { plural } from '../../words/formats.ts';
import type { TryWords } from './en.tsx';
import { scripts } from './scripts/de.ts';

const thenKeys = (keys: string) => (keys === '' ? '' : `, dann ${keys}`);

export const de: TryWords = {
  title: 'Ausprobieren',
  lead: 'Ein automatischer Anrufer ruft die Adresse eines Bezahlvorgangs an und versucht zu zahlen. Verfolgen Sie den Anruf, und hören Sie danach, was der Anrufer gehört hat.',
  notAvailable: 'Testanrufe sind bei diesem Dienst nicht verfügbar.',
  onlyInTest: 'Testanrufe gibt es nur im Testmodus.',
  ...scripts,
  form: {
    notPlaced: 'Der Anruf wurde nicht gestartet',
    script: 'Was der Anrufer tut',
    merchant: 'Händler',
    noProcessor: 'kein Zahlungsanbieter',
    card: 'Karte',
    defaultCard: 'Vorgabe des Ablaufs',
    cardHint: (link) => (
      <>{link('Testkarten')} des Zahlungsanbieters des Händlers. Manche Abläufe verwenden immer ihre eigene Karte.</>
    ),
    amount: 'Betrag',
    place: 'Anruf starten',
    hint: 'Ein automatischer Anrufer wählt, hört zu und drückt Tasten wie ein Mensch. Sie brauchen kein Telefon, und es fließt kein echtes Geld.',
    at: (vendor) => `Bei ${vendor}`,
    cardsOf: (vendor) => `Testkarten von ${vendor}`,
  },
  faults: {
    script: 'Wählen Sie, was der Anrufer tut.',
    merchant: 'Wählen Sie einen Händler.',
    sandboxCard: 'Wählen Sie eine Testkarte der Sandbox.',
    notAt: (vendor, limit) => `Nicht bei ${vendor}: ${limit}`,
    vendorCard: (vendor) => `Wählen Sie eine Testkarte von ${vendor}, dem Zahlungsanbieter des Händlers.`,
    amount: (example, minimum) => `Geben Sie einen Betrag wie ${example} ein. Das Minimum ist ${minimum}.`,
    noTransfer: (merchant, policy, line) =>
      `${merchant} verlangt für diesen Betrag keine Zahlung (Regel: „${policy}“), daher wird kein Anruf weitergeleitet. Der Agent sagt: „${line}“`,
    refused: {
      busy: 'Es laufen bereits zwei Testanrufe. Warten Sie, bis einer endet, oder beenden Sie einen.',
      unavailable:
        'Der automatische Anrufer konnte nicht gestartet werden. Versuchen Sie es gleich noch einmal. Schlägt es weiter fehl, sehen Sie im Log des Dienstes nach.',
    },
  },
  limits: {
    noKeypad:
      'Er nimmt keine Karten per Tastenfeld an: Die Leitung sendet den Zahlungslink per SMS, und Sie öffnen ihn und zahlen selbst.',
    noHolds: 'Er kann keinen Betrag reservieren.',
    noSaving: 'Die Leitung kann dort keine Karte ohne Zahlung speichern.',
    noDebits: 'Er bietet keine Lastschriften an.',
    noLostAnswer: 'Nur die Sandbox lässt mit Absicht eine Antwort ausfallen.',
    noPostalCode:
      'Die Leitung dieses Händlers fragt nicht nach der Postleitzahl, die dort über das Ergebnis entscheidet.',
  },
  none: {
    live: {
      title: 'Testanrufe gibt es nur im Testmodus',
      text: 'Testanrufe verwenden Testkarten, die der Livemodus ablehnt.',
      action: 'Im Testmodus ausprobieren',
    },
    noMerchant: {
      title: 'Ein Testanruf braucht einen Händler',
      text: 'Legen Sie im Testmodus einen Händler an, und verbinden Sie ihn mit der Sandbox.',
      action: 'Einstellungen',
    },
    unavailable: {
      title: 'Testanrufe sind nicht verfügbar',
      text: (setting) => (
        <>
          Dieser Dienst nutzt einen eigenen SIP-Server, den der automatische Anrufer vielleicht nicht erreicht. Falls
          doch, setzen Sie {setting}. Sie können auch transfer_to eines Bezahlvorgangs mit Ihrem eigenen Telefon
          anrufen.
        </>
      ),
    },
  },
  call: {
    titleOf: (script) => `Testanruf: ${script}`,
    again: {
      title: 'Dieses Formular wurde bereits gesendet',
      text: 'Dies ist der Anruf, den es gestartet hat. Für einen weiteren wählen Sie „Neuer Anruf“.',
    },
    to: (merchant) => <>Testanruf an {merchant}</>,
    connecting: 'Verbindung wird aufgebaut',
    newCall: 'Neuer Anruf',
    transcript: 'Mitschrift',
    forIntegrator: 'Für die Integration',
    platform: 'Ihre Sprachplattform',
    anyPlatform: 'Beliebig, per SIP',
    showCode: 'Code anzeigen',
    platformHint: 'Was einzufügen ist, und wie das Ergebnis zurückkommt',
    copy: (title) => `Kopieren: ${title}`,
    onTheLine: 'In der Leitung',
    dials: 'Der Anrufer wählt',
    stages: {
      greeting: 'Die Leitung begrüßt den Anrufer',
      card_number: 'Die Leitung fragt nach der Kartennummer',
      expiry: 'Die Leitung fragt nach dem Ablaufdatum',
      security_code: 'Die Leitung fragt nach dem Prüfcode',
      bank_account: 'Die Leitung fragt nach einem Bankkonto',
      postal_code: 'Die Leitung fragt nach der Postleitzahl',
      keep_card: 'Die Leitung fragt, ob die Karte gespeichert werden soll',
      confirmation: 'Die Leitung nennt die Karte und bittet um die 1',
      paying: 'Die Karte wird belastet',
      by_link: 'Die Leitung hat den Link gesendet und wartet',
      waiting: 'Die Leitung wartet auf die Zahlung',
      leaving: 'Die Leitung nennt das Ergebnis',
      returning: 'Der Anrufer kehrt zum Agenten zurück',
      ended: 'Der Anruf ist beendet',
    },
    hangUp: 'Auflegen',
    failed:
      'Der Prozess des automatischen Anrufers endete vor seinem Anruf. Der Dienst läuft weiter, und sein Log enthält den Exit-Code.',
    heard: 'Was der Anrufer gehört hat',
    links: { call: 'Der Anruf, Schritt für Schritt', charge: 'Die Abbuchung', checkout: 'Der Bezahlvorgang' },
    events: 'Webhook-Ereignisse',
    bodyOf: (type) => `Inhalt von ${type}`,
    event: 'Das Ereignis',
    headers: 'Header für den Agenten',
    badges: {
      interrupted: 'Abgebrochen',
      saved: 'Karte gespeichert',
      paid: 'Bezahlt',
      held: 'Reserviert',
      pending: 'Unbestätigt',
      declined: 'Abgelehnt',
      notSaved: 'Nicht gespeichert',
      unpaid: 'Unbezahlt',
      agent: 'Zurück beim Agenten',
    },
  },
  steps: {
    label: 'Schritte des Anrufs',
    who: {
      said: 'Leitung',
      keyed: 'Anrufer',
      agent: 'Agent',
      page: 'Zahlungsseite',
      sip: 'SIP',
      silence: '',
      note: '',
    },
    transfers: (message, address) => (
      <>
        Sagt „{message}“ und leitet den Anruf weiter an {address}
      </>
    ),
    quoted: (text) => <>„{text}“</>,
    cutShort: '(unterbrochen)',
    silence: (seconds) => `${seconds} s Stille`,
    presses: (keys) => `drückt ${keys}`,
    entersCard: (lastFour) => `tippt eine Kartennummer mit den Endziffern ${lastFour} ein`,
    entersDigits: (count, keys) =>
      plural(count, { one: `tippt # Ziffer ein${thenKeys(keys)}`, other: `tippt # Ziffern ein${thenKeys(keys)}` }),
  },
  snippets: {
    create: {
      title: '1. Bezahlvorgang anlegen',
      about: 'Das macht das Tool Ihres Agenten, sobald die Bestellung bezahlt werden kann.',
    },
    transfer: {
      title: '2. Nachricht sagen und Anruf weiterleiten',
      about:
        'Sagen Sie agent_message Wort für Wort. Leiten Sie dann per SIP REFER an transfer_to weiter, oder rufen Sie die Adresse an, und verbinden Sie die Anrufe.',
    },
    platformTransfer: (platform) => ({
      title: `2. Anruf weiterleiten mit ${platform}`,
      about: `Sagen Sie agent_message Wort für Wort. Leiten Sie dann an transfer_to weiter. Die Seite über ${platform} in der Dokumentation enthält das Tool und alles Weitere.`,
    }),
    back: {
      title: '3. Anrufer wieder übernehmen',
      about:
        'Der Anruf kehrt zu return_to zurück, mit dem Ergebnis in seinen Headern. Der Webhook enthält das endgültige Ergebnis.',
    },
  },
};
