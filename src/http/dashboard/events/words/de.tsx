/** German words of the events' pages. */
import { plural } from '../../words/formats.ts';
import type { EventWords } from './en.tsx';

export const de: EventWords = {
  title: 'Ereignisse',
  lead: 'Ereignisse werden an Ihre Webhook-Endpunkte gesendet.',
  label: 'Ereignisse, neueste zuerst',
  kind: 'Ereignis',
  titleOf: (type) => `Ereignis ${type}`,
  totals: 'Anzahl dieser Ereignisse',
  counted: (events) => plural(events, { one: '# Ereignis', other: '# Ereignisse' }),
  filters: { type: 'Typ', delivery: 'Zustellung', endpoint: 'Endpunkt', checkout: 'Bezahlvorgang' },
  heads: { type: 'Typ', object: 'Objekt', sequence: 'Folgenummer', created: 'Erstellt' },
  empty: {
    title: 'Noch keine Ereignisse',
    text: 'Jede Zahlung, jeder Fehlschlag, jeder Ablauf und jede Erstattung erzeugt ein Ereignis, das an Ihre Webhook-Endpunkte gesendet wird.',
    action: 'Ereignisse und Webhooks',
  },
  resend: 'Erneut senden',
  resent: {
    title: 'Das Ereignis wird erneut gesendet',
    text: 'Es geht an alle Endpunkte, die seinen Typ jetzt abonniert haben, mit derselben ID und demselben Inhalt.',
    textToOne: 'Es wird nur an diesen Endpunkt gesendet, mit derselben ID und demselben Inhalt.',
  },
  data: 'Daten des Ereignisses',
  dataLabel: 'Das Ereignis',
  broken: {
    title: 'Dieses Ereignis kann nicht angezeigt oder zugestellt werden',
    text: 'Ein interner Fehler verhindert es. Das Ereignis wird zugestellt, sobald der Fehler behoben ist.',
  },
  facts: {
    created: 'Erstellt',
    sequence: 'Folgenummer',
    outcome: 'Ergebnis',
    checkout: 'Bezahlvorgang',
    refund: 'Erstattung',
  },
  deliveries: {
    title: 'Zustellungen',
    resendTo: (endpoint) => `Erneut an ${endpoint} senden`,
    none: 'Keine Zustellungen: Kein Endpunkt hat dieses Ereignis abonniert.',
    label: 'Zustellungen dieses Ereignisses',
    heads: {
      endpoint: 'Endpunkt',
      status: 'Status',
      response: 'Antwort',
      attempts: 'Versuche',
      lastAttempt: 'Letzter Versuch',
    },
    failing: (time) => <>Der Endpunkt ist gestört; nächster Versuch: {time}</>,
    notYet: 'Noch keiner',
  },
  attempts: {
    title: 'Versuche',
    label: 'Versuche, dieses Ereignis zuzustellen, neueste zuerst',
    none: 'Keine Versuche in den letzten 30 Tagen.',
    kind: (attempt) => `Versuch ${attempt}`,
    what: (host, status, reasons, ms) => (
      <>
        an {host}: {status}
        {reasons} nach {ms}
      </>
    ),
    statusCode: (code) => `Status ${code}`,
    details: 'Antwort und Signatur',
    noResponse: 'Keine Antwort.',
    withoutBody: 'Die Antwort hatte keinen Inhalt.',
    body: 'Inhalt der Antwort, bis zu 1.024 Bytes:',
    headers: 'Signierte Header:',
  },
};
