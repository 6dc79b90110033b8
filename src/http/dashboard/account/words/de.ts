/** German words of the account's page, and of the pay page's branding. */
import type { AccountWords } from './en.ts';

const MODES = { test: 'Testmodus', live: 'Livemodus' };

export const de: AccountWords = {
  title: 'Konto',
  saved: 'Gespeichert',
  save: 'Speichern',
  facts: { account: 'Konto', currency: 'Standardwährung' },
  calls: 'Anrufe und SMS',
  callsAbout:
    'Ein Anruf kehrt immer nur zu der Adresse im Bezahlvorgang zurück, und nur, wenn die Listen unten sie erlauben. SMS gehen in die Länder Ihrer Händler und in die Länder, die Sie angeben.',
  secret: 'Signaturschlüssel für SIP-Header',
  secretAbout:
    'Signiert das Ergebnis in den Headern von Anrufen, die zu Ihrem Agenten zurückkehren. Ein neuer Schlüssel ersetzt den alten sofort, in beiden Modi. Laufende Anrufe können mit der alten oder der neuen Signatur zurückkehren.',
  roll: 'Schlüssel erneuern',
  rolled: {
    title: 'Neuer Signaturschlüssel',
    copyNow: 'Kopieren Sie den Schlüssel jetzt',
    copy: 'Schlüssel kopieren',
    what: 'Der HMAC-Schlüssel für den Header X-Ringkey-Signature.',
  },
  fields: {
    anyHost: 'Ohne Hostliste',
    anyHostHint:
      'Erlaubt im Testmodus jeden öffentlichen Host und im Livemodus keinen. Entfernen Sie das Häkchen, um die Liste darunter zu verwenden.',
    hosts: 'Erlaubte SIP-Hosts (beide Modi)',
    hostsHint: 'Einer pro Zeile: ein Hostname, *.example.com, eine IP-Adresse oder * für jeden öffentlichen Host.',
    prefixes: 'Erlaubte Vorwahlen (Livemodus)',
    prefixesHint: 'Eine pro Zeile: + und Ziffern, zum Beispiel +44. Notruf- und Mehrwertnummern werden nie angerufen.',
    countries: 'Weitere Länder für SMS (beide Modi)',
    countriesHint:
      'Eines pro Zeile: ein Kürzel aus zwei Buchstaben, zum Beispiel MX. Die Länder Ihrer Händler sind immer erlaubt. An Mehrwert- und Satellitennummern werden nie SMS gesendet.',
    attestation: 'URL für Attestierungen',
    attestationHint:
      'Eine https-URL, nur für diesen Modus. Ringkey fragt dort die STIR/SHAKEN-Attestierung eines Anrufs ab. Leer: keine Attestierung.',
  },
  page: {
    title: 'Zahlungsseite',
    about: (mode) =>
      `Die Farbe, die Kontaktdaten und die Links, die Zahler im ${MODES[mode]} neben dem Namen des Händlers sehen. Alle mit einem Zahlungslink können sie sehen.`,
    save: 'Zahlungsseite speichern',
    preview: 'Vorschau',
    previewAll: 'Vorschau der ganzen Seite',
    inactive: 'Das Formular in der Vorschau ist ohne Funktion.',
    color: 'Akzentfarbe',
    pickColor: 'Farbe auswählen',
    colorHint:
      '# und sechs Hexadezimalziffern. Wird in jedem Farbschema so angepasst, dass Text lesbar bleibt. Leer: grün.',
    colorHintOfMerchant:
      '# und sechs Hexadezimalziffern. Wird in jedem Farbschema so angepasst, dass Text lesbar bleibt. Leer: wie im Konto.',
    phone: 'Telefonnummer für Rückfragen',
    phoneHint: 'Zum Beispiel +15550100200.',
    phoneHintOfMerchant: 'Zum Beispiel +15550100200. Leer: wie im Konto.',
    email: 'E-Mail-Adresse für Rückfragen',
    terms: 'URL der Geschäftsbedingungen',
    privacy: 'URL der Datenschutzerklärung',
    urlHint: 'Eine https://-URL. Die Seite verlinkt sie.',
    wrong: {
      page_accent_color: 'Geben Sie eine Farbe als # und sechs Hexadezimalziffern ein, zum Beispiel #24569b.',
      page_support_phone: 'Geben Sie eine Telefonnummer mit + und Ländervorwahl ein, zum Beispiel +15550100200.',
      page_support_email: 'Geben Sie eine gültige E-Mail-Adresse ein.',
      page_terms_url: 'Geben Sie eine https://-URL ein, zum Beispiel https://example.com/terms.',
      page_privacy_url: 'Geben Sie eine https://-URL ein, zum Beispiel https://example.com/privacy.',
    },
    pay: (amount) => `${amount} zahlen`,
    link: 'Ein Link',
    themes: { light: 'Hell', dark: 'Dunkel' },
    adjusted: { light: 'dunkler, damit Text lesbar ist', dark: 'heller, damit Text lesbar ist' },
  },
};
