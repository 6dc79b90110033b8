/** German words of the merchants' pages. */
import { listText } from '../../words/formats.ts';
import type { MerchantWords } from './en.ts';

export const de: MerchantWords = {
  title: 'Händler',
  lead: 'Wer das Geld bekommt, was die Zahlungsleitung sagt und fragt und welcher Zahlungsanbieter die Karten belastet.',
  label: 'Händler, neueste zuerst',
  add: 'Händler hinzufügen',
  heads: {
    name: 'Name',
    processor: 'Zahlungsanbieter',
    policy: 'Zahlungspflicht',
    currency: 'Währung',
    added: 'Hinzugefügt',
  },
  policies: { always: 'Immer', above: 'Ab einem Schwellenwert', optional: 'Freiwillig', never: 'Nie' },
  notConnected: 'Nicht verbunden',
  empty: {
    title: 'Noch keine Händler',
    text: 'Jeder Bezahlvorgang gehört zu einem Händler. Fügen Sie einen hinzu, und verbinden Sie dann den Zahlungsanbieter, der für ihn Karten belastet.',
  },
  addLead: 'Alle anderen Einstellungen haben Vorgaben, die Sie später ändern können.',
  addTimeZone: 'Für Zeitangaben in SMS. Vorgegeben ist die Zone Ihres Browsers.',
  notices: {
    added: 'Händler hinzugefügt. Verbinden Sie jetzt seinen Zahlungsanbieter',
    changed: 'Gespeichert. Die Änderungen gelten ab dem nächsten Anruf',
    unchanged: 'Keine Änderungen',
    connected: 'Zahlungsanbieter verbunden',
  },
  ready: 'Bereit für Zahlungen',
  notReady: 'Nicht bereit für Zahlungen',
  settings: 'Einstellungen',
  save: 'Einstellungen speichern',
  facts: { merchant: 'Händler', header: 'Header X-Ringkey-Merchant', processor: 'Zahlungsanbieter' },
  wallet: { unknown: 'Unbekannt', shown: 'Wird auf der Zahlungsseite angezeigt', notShown: 'Wird nicht angezeigt' },
  required: 'Für echte Zahlungen ist noch nötig:',
  connect: 'Zahlungsanbieter verbinden',
  change: 'Anbieter oder Zugangsdaten ändern',
  notifications: 'Meldungen',
  testCharge: 'Testabbuchung ausführen',
  orderSecret: {
    title: 'Signaturschlüssel der Bestellquelle',
    copyNow: 'Kopieren Sie den Signaturschlüssel jetzt',
    copy: 'Signaturschlüssel kopieren',
    what: 'Ihr Bestellserver prüft damit die Anfragen von Ringkey.',
  },
  groups: {
    business: 'Unternehmen',
    voice: 'Sprache und Stimme',
    payments: 'Zahlungen',
    call: 'Während des Anrufs',
    page: 'Zahlungsseite und E-Mails',
    orders: 'Bestellungen',
  },
  fields: {
    businessName: 'Name des Unternehmens',
    businessNameHint: 'Anrufer hören ihn. Er steht auch auf der Zahlungsseite und auf Belegen.',
    currency: 'Währung',
    language: 'Sprache',
    languageHint:
      'Für den Anruf, die Zahlungsseite und die SMS. Die Region bestimmt den Akzent und die Schreibweise von Datumsangaben.',
    numbers: 'Telefonnummern',
    numbersHint:
      'Die Nummern, die Anrufer wählen, eine pro Zeile, zum Beispiel +15550100201. An ihnen erkennt Ringkey den Händler eines Anrufs.',
    timeZoneHint:
      'Für Zeitangaben in SMS. Geben Sie eine Stadt wie New York auf Englisch ein, und wählen Sie ihre Zone.',
    secondLanguage: 'Zweite Sprache',
    secondLanguageHint: 'Wird in der Begrüßung in dieser Sprache angeboten: „para español, marque nueve“.',
    none: 'Keine',
    voice: 'Stimme',
    voiceHint:
      'Wählen Sie eine aus, oder geben Sie <Synthesizer>:<Stimme> ein. Leer: die Standardstimme der Sprache. Spielen Sie die Begrüßung ab, um sie zu hören.',
    everyLanguage: 'Alle Sprachen',
    policy: 'Wann die Zahlung Pflicht ist',
    policies: {
      always: 'Immer: bei jedem Bezahlvorgang',
      above: 'Ab einem Schwellenwert',
      optional: 'Freiwillig: Anrufer können jetzt zahlen',
      never: 'Nie',
    },
    threshold: 'Schwellenwert',
    thresholdHint: 'Ein Betrag wie 20,00, in JPY und KRW wie 2000. Gilt nur mit „Ab einem Schwellenwert“.',
    brands: 'Akzeptierte Karten',
    tips: 'Trinkgeld',
    tipsHint: 'In Prozent, zum Beispiel 15, 18, 20. Leer: Es wird kein Trinkgeld angeboten.',
    partial: 'Kleinste Teilzahlung',
    partialHint:
      'In der Währung des Händlers. Anrufer und Zahler können ab diesem Betrag einen Teil bezahlen. Leer: nur den ganzen Betrag.',
    bankDebit: 'Nummer für Lastschriften',
    bankDebitHint:
      'Anrufer können auch von einem US-Bankkonto zahlen, wenn der Bezahlvorgang das anbietet. Für Fragen hören sie diese Nummer. Leer: nur Karten.',
    postalCode: 'Nach der Postleitzahl der Karte fragen',
    confirmation: 'Karte und Betrag vorlesen und auf die 1 warten',
    cardSaving: 'Anbieten, Karten zu speichern',
    cardSavingHint:
      'Einmal pro Anruf, wenn der Zahlungsanbieter es unterstützt. Die Einwilligung des Anrufers wird festgehalten.',
    textAfterDrop: 'Nach abgebrochenen Anrufen den Zahlungslink per SMS senden',
    textAfterDropHint:
      '20 Sekunden nach dem Abbruch eines unbezahlten Anrufs, einmal pro Bezahlvorgang, außer wenn der Anrufer wieder anruft.',
    returnMode: 'Art der Rückkehr',
    returnModes: {
      default: 'Vorgabe des Dienstes',
      auto: 'REFER, falls unterstützt, sonst eine Brücke',
      refer: 'REFER (SIP)',
      bridge: 'Brücke',
    },
    orderSource: 'Bestellquelle',
    orderSources: {
      sandbox: 'Demobestellungen',
      none: 'Keine: Jeder Bezahlvorgang enthält seinen Betrag',
      http: 'Ihr eigener Server',
    },
    orderSourceUrl: 'URL der Bestellquelle',
    orderSourceUrlHint: 'Eine https-URL. Ringkey sendet signierte Anfragen dorthin.',
  },
  preview: {
    title: 'Vorschau',
    lead: 'Eine Zahlung von 42,50 mit den Eingaben des Formulars. Noch ist nichts gespeichert.',
    play: 'Begrüßung abspielen',
    update: 'Vorschau aktualisieren',
    heard: 'Was Anrufer hören',
    seen: 'Was Zahler sehen',
    page: 'Beispiel einer Zahlungsseite',
    openPage: 'Beispielseite öffnen',
    inactive: 'Ihr Formular ist ohne Funktion.',
    steps: {
      greeting: 'Begrüßung und Kartennummer',
      expiry: 'Ablaufdatum',
      security_code: 'Prüfcode',
      postal_code: 'Postleitzahl',
      part: 'Ganze Zahlung oder Teilzahlung',
      tip: 'Trinkgeld',
      keep_card: 'Karte speichern',
      confirmation: 'Bestätigung',
      one_moment: 'Während die Karte belastet wird',
      succeeded: 'Bezahlt',
      declined: 'Wenn die Bank ablehnt',
    },
  },
  greeting: {
    invalidLanguage: 'Geben Sie ein Sprachkürzel nach BCP 47 ein, zum Beispiel en-US oder fr.',
    invalidVoice:
      'Diese Stimme ist nicht verfügbar. Geben Sie <Synthesizer>:<Stimme> mit einem Synthesizer dieses Dienstes ein.',
    none: 'Keine Hörprobe verfügbar',
    refused: {
      no_synthesizer:
        'Dieser Dienst hat keinen Synthesizer. Anrufer hören deshalb Aufnahmen ohne den Namen und den Betrag. Um einen hinzuzufügen, setzen Sie RINGKEY_SYNTHESIZER.',
      unavailable:
        'Kein Synthesizer hat rechtzeitig geantwortet, oder das Konto hat seine Grenze für erzeugte Sprache in dieser Stunde erreicht. Bis dahin hören Anrufer Aufnahmen.',
      busy: 'Andere Begrüßungen dieses Kontos werden gerade erzeugt. Versuchen Sie es gleich noch einmal.',
    },
    heard: (speakers) =>
      `Die Begrüßung für einen Bezahlvorgang über 42,50, wie Anrufer sie hören. Gesprochen von ${listText(speakers)}. Ihre Änderungen sind noch nicht gespeichert.`,
    heardOther: (speakers) =>
      `Die Begrüßung für einen Bezahlvorgang über 42,50, wie Anrufer sie hören. Gesprochen von ${listText(speakers)}, weil der Synthesizer dieser Stimme ausfällt. Ihre Änderungen sind noch nicht gespeichert.`,
    open: 'Audiodatei öffnen',
  },
};
