/** German words of the webhook endpoints' pages. */
import { numberText, plural } from '../../words/formats.ts';
import type { EndpointWords } from './en.tsx';

export const de: EndpointWords = {
  list: {
    title: 'Webhook-Endpunkte',
    lead: 'Ringkey sendet jedes Ergebnis in einer signierten Anfrage an Ihre Endpunkte, unabhängig davon, wie der Anruf endet.',
    label: 'Webhook-Endpunkte, neueste zuerst',
    add: 'Endpunkt hinzufügen',
    addTitle: 'Webhook-Endpunkt hinzufügen',
    heads: {
      url: 'Adresse',
      types: 'Ereignistypen',
      status: 'Status',
      lastDay: 'Zugestellt, letzte 24 h',
      added: 'Hinzugefügt',
    },
    lastDay: (share, attempts) => `${share} von ${numberText(attempts)}`,
    empty: {
      title: 'Noch keine Webhook-Endpunkte',
      text: 'Geben Sie die Adresse eines Servers an, der die Ereignisse Ihrer Zahlungen erhalten soll. Anrufe funktionieren auch ohne Endpunkt, aber der Webhook ist die verlässliche Quelle der Ergebnisse.',
    },
  },
  enabled: 'Aktiv',
  failing: 'Gestört',
  failingSince: (time) => <>seit {time}</>,
  disabled: 'Deaktiviert',
  url: 'Adresse (URL)',
  urlHint: 'Eine https-Adresse im öffentlichen Internet.',
  types: 'Ereignistypen',
  secret: {
    added: 'Endpunkt hinzugefügt',
    rolled: 'Neuer Signaturschlüssel',
    copyNow: 'Kopieren Sie den Signaturschlüssel jetzt',
    copy: 'Signaturschlüssel kopieren',
    what: 'Ihr Server prüft damit, dass Ereignisse von Ringkey stammen (Standard Webhooks).',
  },
  title: 'Webhook-Endpunkt',
  notices: {
    changed: 'Gespeichert',
    resent: 'Die fehlgeschlagenen Ereignisse werden erneut gesendet',
    resent_part:
      'Die ältesten 1.000 fehlgeschlagenen Ereignisse werden erneut gesendet. Wiederholen Sie den Vorgang für die übrigen',
    none_failed: 'Seitdem ist keine Zustellung fehlgeschlagen',
    tested: 'Testereignis gesendet. Seine Zustellung erscheint gleich unten',
    on: 'Endpunkt aktiviert',
    off: 'Endpunkt deaktiviert',
  },
  lastFailed: (response) => `Der letzte Versuch ist fehlgeschlagen: ${response}`,
  settings: 'Einstellungen',
  save: 'Speichern',
  deliveries: {
    title: 'Letzte Zustellungen',
    none: 'Noch keine Zustellungen.',
    label: 'Zustellungen, neuestes Ereignis zuerst',
    heads: {
      event: 'Ereignis',
      status: 'Status',
      response: 'Antwort',
      attempts: 'Versuche',
      lastAttempt: 'Letzter Versuch',
    },
    notYet: 'Noch keiner',
    sendTest: 'Testereignis senden',
  },
  roll: {
    title: 'Signaturschlüssel',
    text: 'Der neue Schlüssel wird einmal angezeigt. Bis der alte Schlüssel abläuft, tragen Ereignisse beide Signaturen.',
    submit: 'Schlüssel erneuern',
    expires: 'Alter Schlüssel läuft ab',
  },
  state: {
    titleOn: 'Deaktivieren oder löschen',
    titleOff: 'Endpunkt aktivieren',
    text: 'Ein deaktivierter Endpunkt erhält keine Ereignisse. Mit dem Endpunkt werden auch sein Schlüssel und seine Zustellungen gelöscht.',
    enable: 'Aktivieren',
    disable: 'Deaktivieren',
    remove: 'Endpunkt löschen',
  },
  health: {
    title: 'Zustand',
    summary: (attempts, failures) =>
      plural(attempts, {
        one: `# Versuch in den letzten 7 Tagen, ${numberText(failures)} fehlgeschlagen`,
        other: `# Versuche in den letzten 7 Tagen, ${numberText(failures)} fehlgeschlagen`,
      }),
    bars: (summary) => `${summary}. Zugestellte über der Linie, fehlgeschlagene darunter, pro Stunde.`,
    byDay: 'Nach Tag',
    label: 'Versuche nach Tag, neueste zuerst',
    heads: { day: 'Tag (UTC)', attempts: 'Versuche', failed: 'Fehlgeschlagen' },
    sent: (count) => `${numberText(count)} gesendet`,
    failed: (count) => `${numberText(count)} fehlgeschlagen`,
  },
  failedEvents: {
    title: 'Fehlgeschlagene Ereignisse',
    text: 'Alle fehlgeschlagenen Ereignisse können sofort erneut gesendet werden, ohne auf ihre Wiederholungen zu warten: die ältesten zuerst, mit denselben IDs und Inhalten.',
    submit: 'Fehlgeschlagene erneut senden',
    label: 'Fehlgeschlagen',
  },
  failedSince: {
    '1': 'In der letzten Stunde',
    '24': 'In den letzten 24 Stunden',
    '168': 'In den letzten 7 Tagen',
    '720': 'In den letzten 30 Tagen',
  },
  verify: {
    title: 'Signaturen prüfen',
    text: 'Ihr Server prüft die Signatur jedes Ereignisses mit dem Signaturschlüssel dieses Endpunkts.',
    link: 'So funktionieren Signaturen',
  },
};
