/** German words of the API keys' pages. */
import type { KeyWords } from './en.ts';

export const de: KeyWords = {
  title: 'API-Schlüssel',
  lead: 'Bewahren Sie Schlüssel nur auf Ihren Servern auf. Sie gehören nie in einen Prompt, einen Browser oder eine App.',
  label: 'API-Schlüssel, neueste zuerst',
  add: 'Schlüssel anlegen',
  heads: { name: 'Name', prefix: 'Präfix', scope: 'Umfang', status: 'Status', created: 'Angelegt' },
  scopes: { agent: 'Agent: nimmt Zahlungen an', full: 'Voll: alles' },
  scopeChoices: {
    agent: 'Agent: legt Bezahlvorgänge an, bucht ab, sendet Links, liest Sitzungen',
    full: 'Voll: alles, auch Erstattungen und Einstellungen',
  },
  empty: {
    title: (mode) => ({ test: 'Noch keine Testschlüssel', live: 'Noch keine Liveschlüssel' })[mode],
    text: 'Ihre Server weisen sich mit einem Schlüssel aus. Geben Sie Ihrem Sprachagenten einen mit dem Umfang „agent“, der nur Zahlungen annehmen kann.',
  },
  states: { active: 'Aktiv', expiring: 'Läuft ab', expired: 'Abgelaufen', revoked: 'Widerrufen' },
  createLead: (mode) =>
    ({ test: 'Dieser Schlüssel gilt nur im Testmodus.', live: 'Dieser Schlüssel gilt nur im Livemodus.' })[mode],
  create: 'Schlüssel anlegen',
  fields: {
    name: 'Name',
    nameHint: 'Beschreibt, wo der Schlüssel verwendet wird.',
    scope: 'Umfang',
    sources: 'Erlaubte IP-Adressen',
    sourcesHint: 'Eine Adresse oder ein CIDR-Block pro Zeile. Leer: jede Adresse.',
  },
  created: 'Schlüssel angelegt',
  rolled: 'Schlüssel erneuert',
  copyNow: 'Kopieren Sie den Schlüssel jetzt',
  copy: 'Schlüssel kopieren',
  what: 'Senden Sie ihn im Header Authorization, nur von Ihren Servern.',
  facts: {
    key: 'Schlüssel',
    prefix: 'Präfix',
    scope: 'Umfang',
    sources: 'Erlaubte IP-Adressen',
    any: 'Alle',
    created: 'Angelegt',
    expires: 'Läuft ab',
    revoked: 'Widerrufen',
  },
  roll: {
    title: 'Schlüssel erneuern',
    about:
      'Ersetzt diesen Schlüssel durch einen neuen mit denselben Rechten. Der neue wird einmal angezeigt. Beide gelten, bis der alte abläuft.',
    oldExpires: 'Alter Schlüssel läuft ab',
  },
  revoke: {
    title: 'Schlüssel widerrufen',
    about:
      'Anfragen mit diesem Schlüssel schlagen innerhalb einer Sekunde fehl. Sie können das nicht rückgängig machen.',
  },
};
