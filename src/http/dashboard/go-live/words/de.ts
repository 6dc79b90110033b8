/** German words of the go-live checklist. */
import type { GoLiveWords } from './en.ts';

export const de: GoLiveWords = {
  title: 'Livegang',
  inLiveMode: {
    title: 'Die Checkliste finden Sie im Livemodus',
    text: 'Sie prüft die Händler, Schlüssel, Endpunkte und Benachrichtigungen dieses Kontos im Livemodus.',
    action: 'Checkliste öffnen',
  },
  lead: 'Was echte Zahlungen brauchen, jetzt geprüft an diesem Dienst, diesem Konto und seinen Zahlungsanbietern.',
  progress: (done, all) => `${done} von ${all} erledigt`,
  progressLabel: (done, all) => `${done} von ${all} Prüfungen bestanden`,
  allDone: 'Alles ist bereit',
  newestOnly: (most) =>
    `Nur die neuesten ${most} Händler werden geprüft. Die Seite jedes Händlers zeigt seinen Zustand.`,
  of: (merchant, message) => `${merchant}: ${message}`,
  merchantsPage: 'Händler',
  endpointsPage: 'Webhook-Endpunkte',
  https: {
    title: 'Der Dienst ist über HTTPS erreichbar',
    todo: 'Stellen Sie einen Proxy mit Zertifikat vor den Dienst, und setzen Sie RINGKEY_PUBLIC_URL auf dessen https-Adresse.',
    docs: 'Ringkey betreiben',
  },
  standby: {
    title: 'PostgreSQL schreibt synchron auf einen Standby-Server',
    todo: 'Setzen Sie synchronous_standby_names, damit bei einem Ausfall keine Zahlung verloren geht. Wenn Ihr verwaltetes PostgreSQL von sich aus synchron repliziert, ist das erledigt: In SQL ist es nicht zu sehen.',
    docs: 'Ringkey betreiben',
  },
  keys: {
    title: 'Der Sprachagent hat einen eigenen Liveschlüssel mit dem Umfang „agent“',
    todo: 'Legen Sie einen Liveschlüssel mit dem Umfang „agent“ an. Er nimmt Zahlungen an, kann aber weder erstatten noch Einstellungen ändern.',
    page: 'API-Schlüssel',
    docs: 'Liveschlüssel',
  },
  merchants: {
    title: 'Jeder Händler im Livemodus kann Zahlungen annehmen',
    todo: 'Fügen Sie im Livemodus einen Händler hinzu, und verbinden Sie seinen Zahlungsanbieter.',
    docs: 'Was fehlt',
  },
  keypad: {
    title: 'Die Zahlungsanbieter akzeptieren Telefonzahlungen (MOTO) und eingetippte Karten',
    todo: 'Verbinden Sie den Zahlungsanbieter eines Händlers im Livemodus. Danach prüft Ringkey ihn.',
    docs: 'Zahlungsanbieter verbinden',
  },
  notifications: {
    title: 'Die Zahlungsanbieter senden Ringkey Meldungen',
    addMerchant: 'Fügen Sie zuerst im Livemodus einen Händler hinzu.',
    todo: (merchant) =>
      `${merchant}: Geben Sie die Adresse der Meldungen beim Zahlungsanbieter ein und ihren Schlüssel hier. Unbestätigte Zahlungen werden dann sofort geklärt.`,
    page: 'Meldungen',
    docs: 'Meldungen in der Dokumentation',
  },
  returns: {
    title: 'Anrufe können zu Ihrem Agenten zurückkehren, und nur dorthin',
    anyHost:
      'Die Hostliste erlaubt jeden öffentlichen Host (*). Tragen Sie stattdessen die Hosts Ihrer Sprachplattform ein.',
    todo: 'Tragen Sie die SIP-Hosts oder die Vorwahlen Ihrer Sprachplattform ein. Ohne sie können echte Anrufe nicht zurückkehren.',
    page: 'Konto',
    docs: 'Zahlungsleitung verbinden',
  },
  webhook: {
    title: 'Ein Webhook-Endpunkt hat ein Ereignis des Livemodus bestätigt',
    add: 'Fügen Sie im Livemodus einen Webhook-Endpunkt hinzu, und senden Sie ihm ein Testereignis.',
    send: 'Senden Sie dem Endpunkt auf seiner Seite ein Testereignis. Er muss die Signatur prüfen und mit 2xx antworten.',
    docs: 'Signaturen prüfen',
  },
  alerts: {
    title: 'Benachrichtigungen erreichen Ihr Team',
    todo: 'Fügen Sie eine E-Mail-Adresse oder einen Slack-Kanal für Benachrichtigungen des Livemodus hinzu.',
    page: 'Benachrichtigungen',
    docs: 'Benachrichtigungen in der Dokumentation',
  },
  testData: {
    title: 'Der Livemodus enthält keine Testdaten',
    number: (merchant) => `${merchant} hat eine Beispielnummer als Telefonnummer. Ersetzen Sie sie.`,
    host: (host) => `Ein Webhook-Endpunkt liegt auf ${host}, einem Beispielhost. Löschen Sie ihn.`,
    docs: 'Livegang in der Dokumentation',
  },
};
