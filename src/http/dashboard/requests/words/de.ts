/** German words of the requests' pages. */
import type { RequestWords } from './en.ts';

export const de: RequestWords = {
  title: 'API-Anfragen',
  lead: 'API-Anfragen mit Ihren Schlüsseln. Sie werden 30 Tage aufbewahrt, ohne geheime Werte.',
  label: 'API-Anfragen, neueste zuerst',
  kind: 'Anfrage',
  filters: { status: 'Status', error: 'Fehler', operation: 'Operation', key: 'Schlüssel' },
  heads: {
    request: 'Anfrage',
    status: 'Status',
    error: 'Fehler',
    key: 'Schlüssel',
    duration: 'Dauer',
    created: 'Erstellt',
  },
  noKey: 'Kein Schlüssel',
  empty: {
    title: 'Noch keine API-Anfragen',
    text: 'Jede Anfrage mit einem Ihrer Schlüssel erscheint hier 30 Tage lang, mit ihrer Antwort.',
    action: 'API-Referenz',
  },
  requestBody: 'Inhalt der Anfrage',
  responseBody: 'Inhalt der Antwort',
  withoutBody: 'Kein Inhalt.',
  facts: {
    error: 'Fehler',
    field: 'Feld',
    duration: 'Dauer',
    key: 'Schlüssel',
    keyName: 'Name des Schlüssels',
    source: 'Herkunft',
    created: 'Erstellt',
  },
};
