/** German words of all forms. */
import { plural } from '../../words/formats.ts';
import type { FormWords } from './en.tsx';

const KEYS = { test: 'Testschlüssel', live: 'Liveschlüssel' };

export const de: FormWords = {
  cancel: 'Abbrechen',
  mustSignIn: 'Um etwas zu ändern, melden Sie sich noch einmal an.',
  signInAgain: 'Noch einmal anmelden',
  nothingChanged: 'Es wurde nichts geändert',
  goToField: 'Zum Feld',
  sentBefore:
    'Dieses Formular wurde schon gesendet. Sehen Sie in der Liste nach dem Ergebnis. Um noch etwas anzulegen, öffnen Sie das Formular erneut.',
  settings: 'Einstellungen',
  tabs: {
    merchants: 'Händler',
    keys: 'API-Schlüssel',
    webhooks: 'Webhook-Endpunkte',
    alerts: 'Benachrichtigungen',
    account: 'Konto',
    users: 'Benutzer',
    go_live: 'Livegang',
  },
  overlaps: { '86400': 'In 1 Tag', '3600': 'In 1 Stunde', '604800': 'In 7 Tagen', '0': 'Sofort' },
  timeZone: 'Zeitzone',
  timeZoneHint: 'Geben Sie eine Stadt wie New York auf Englisch ein, und wählen Sie ihre Zone.',
  merchants: {
    search: 'Händler suchen',
    searchHint: 'Teil des Namens oder eine ID. Ausgewählte Händler bleiben ausgewählt.',
    submit: 'Suchen',
    found: (count) => plural(count, { one: '# weiterer Händler gefunden', other: '# weitere Händler gefunden' }),
    foundMany: 'Mehr als 100 Händler gefunden. Das sind die neuesten.',
    inTest: (name) => `Testmodus: ${name}`,
  },
  shownOnce: 'Sie können den Wert später nicht mehr ansehen.',
  copied: 'Ich habe ihn kopiert',
  apiCall: {
    title: 'Als API-Aufruf kopieren',
    sendsEntries: 'Sendet die Eingaben oben.',
    sendsVariables: 'Sendet die Werte seiner Variablen.',
    key: (variable, mode, scope) => (
      <>
        Setzen Sie {variable} auf einen {KEYS[mode]} mit dem Umfang „{scope}“.
      </>
    ),
    copy: 'API-Aufruf kopieren',
    update: 'API-Aufruf aktualisieren',
  },
};
