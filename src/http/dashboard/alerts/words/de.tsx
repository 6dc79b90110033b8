/** German words of alerts. */
import type { AlertWords } from './en.tsx';

const MODES = { test: 'Testmodus', live: 'Livemodus' };

export const de: AlertWords = {
  title: 'Benachrichtigungen',
  lead: 'Nachrichten an Ihr Team über alles, was zu erledigen ist. Benutzer können unter „Ihre Benachrichtigungen“ auch eigene einschalten.',
  label: 'Empfänger von Benachrichtigungen, neueste zuerst',
  add: 'Empfänger hinzufügen',
  heads: { to: 'An', channel: 'Kanal', last: 'Letzte Nachricht', added: 'Hinzugefügt' },
  channels: { email: 'E-Mail', slack: 'Slack' },
  empty: {
    title: 'Noch keine Benachrichtigungen',
    text: 'Fügen Sie eine E-Mail-Adresse oder einen Slack-Kanal hinzu. Dorthin gehen Nachrichten zu jedem Problem und auf Wunsch eine tägliche Zusammenfassung und Monatsberichte.',
  },
  address: 'Adresse',
  settings: 'Einstellungen',
  save: 'Speichern',
  fields: {
    email: 'E-Mail-Adresse',
    emailHint: 'Oder unten die URL eines Slack-Kanals.',
    slack: 'Webhook-URL von Slack',
    slackHint:
      'Fügen Sie in Slack eine App mit eingehenden Webhooks hinzu, und kopieren Sie die URL des Kanals. Sie wird verschlüsselt gespeichert und nicht wieder angezeigt.',
    name: 'Name',
    nameHint: 'Zum Beispiel #zahlungen.',
    topics: 'Probleme',
    urgent: 'Nur dringende Probleme',
    urgentHint:
      'Anrufer können nicht zahlen, oder eine Zahlung wurde verspätet bestätigt, war doppelt oder ging verloren.',
    zoneHint: 'Zum Beispiel Europe/Berlin.',
    quietFrom: 'Ruhezeit von',
    quietHint: 'In der Ruhezeit werden nur dringende Probleme gemeldet.',
    quietUntil: 'Ruhezeit bis',
    noQuiet: 'Keine Ruhezeit',
    summary: 'Tägliche Zusammenfassung um',
    noSummary: 'Keine Zusammenfassung',
    ifEmpty: 'Auch für Tage senden, an denen nichts geschehen ist',
    reports: 'Monatsberichte',
    reportsHint: 'Werden am ersten Tag jedes Monats gesendet, zur Uhrzeit der Zusammenfassung oder um 08:00 Uhr.',
  },
  topics: {
    payments: 'Zahlungen: zu klären, verspätet bestätigt oder doppelt, später fehlgeschlagen, angefochten',
    processors: 'Zahlungsanbieter: lehnen ab oder sind langsam, geringe Erfolgsquote',
    deliveries: 'Zustellungen: Webhooks, SMS, E-Mails und Benachrichtigungen',
    keys: 'API-Schlüssel und Zertifikate: laufen bald ab oder sind abgelaufen',
    service: 'Dienst: Grenzen bei 80 %, fehlende Worker, Telefonprozesse, Medien- und SIP-Server',
  },
  notices: {
    added: 'Empfänger hinzugefügt. Prüfen Sie ihn mit einer Testnachricht',
    changed: 'Gespeichert',
    tested: 'Testnachricht gesendet. Ihr Ergebnis erscheint gleich unten',
    removed: 'Benachrichtigungen ausgeschaltet',
  },
  remove: {
    title: 'Entfernen',
    about: 'Es werden keine Nachrichten mehr gesendet, und die Adresse wird gelöscht.',
    submit: 'Empfänger entfernen',
  },
  lastMessage: {
    none: 'Noch keine',
    of: (message, at) => (
      <>
        {message}, {at}
      </>
    ),
    code: (code) => `Code ${code}`,
    again: ', wird erneut gesendet',
  },
  statuses: { waiting: 'Ausstehend', sent: 'Gesendet', failed: 'Fehlgeschlagen' },
  messages: { alert: 'Benachrichtigung', summary: 'Zusammenfassung', report: 'Bericht', test: 'Testnachricht' },
  failures: {
    timeout: 'keine rechtzeitige Antwort',
    connection: 'keine Verbindung',
    forbidden_address: 'keine öffentliche Adresse',
    not_configured: 'kein Mailserver eingerichtet',
  },
  test: {
    title: 'Test',
    about: 'Die Nachricht kommt innerhalb von Sekunden an, oder diese Seite zeigt, warum nicht.',
    send: 'Testnachricht senden',
  },
  own: {
    title: 'Ihre Benachrichtigungen',
    lead: (email, mode) => (
      <>
        E-Mails an {email} über alles, was im {MODES[mode]} zu erledigen ist.
      </>
    ),
    turnOn: 'Benachrichtigungen einschalten',
    off: 'Ausschalten',
    offAbout: (mode) => `Sie erhalten im ${MODES[mode]} keine Benachrichtigungen mehr.`,
    turnOff: 'Benachrichtigungen ausschalten',
  },
};
