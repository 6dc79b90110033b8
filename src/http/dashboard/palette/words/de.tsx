/** German words of the command palette and the list of shortcuts. */
import type { PaletteWords } from './en.ts';

export const de: PaletteWords = {
  palette: 'Befehlspalette',
  label: 'Zu einer Seite gehen, suchen oder einen Befehl ausführen',
  hint: 'Seite, Suche oder Befehl',
  results: 'Ergebnisse',
  shortcuts: 'Tastenkürzel',
  keys: {
    palette: 'Befehlspalette (⌘ K auf dem Mac)',
    search: 'Suche',
    next: 'Nächste Zeile einer Liste',
    previous: 'Vorige Zeile einer Liste',
    help: 'Diese Übersicht',
  },
  singleKeys: 'Kürzel mit einer Taste in diesem Browser verwenden',
  close: 'Schließen',
  groups: {
    commands: 'Befehle',
    pages: 'Seiten',
    open: 'Öffnen',
    merchants: 'Händler',
    callers: 'Anrufer',
    charges: 'Abbuchungen',
    refund: 'Erstatten',
    calls: 'Anrufe',
    checkouts: 'Bezahlvorgänge',
  },
  commands: {
    testCall: 'Testanruf starten',
    merchant: 'Händler hinzufügen',
    key: 'API-Schlüssel anlegen',
    endpoint: 'Webhook-Endpunkt hinzufügen',
    alert: 'Benachrichtigung hinzufügen',
    user: 'Benutzer einladen',
  },
  keywords: { signOut: 'Ausloggen Logout', theme: 'Theme Darstellung Design Modus' },
  theme: (name: string) => `Farbschema: ${name}`,
  pages: {
    wall: 'Wandanzeige',
    tail: 'Live-Protokoll',
  },
  refund: (amount, card) => `${amount} erstatten, ${card}`,
  withheld: 'Nummer unterdrückt',
};
