/** German words of the search. */
import type { SearchWords } from './en.ts';

export const de: SearchWords = {
  title: 'Suche',
  results: (text) => `Ergebnisse für „${text}“`,
  noResults: 'Keine Ergebnisse',
  newestOnly: 'Es werden nur die neuesten gezeigt.',
  all: {
    merchants: 'Alle Händler',
    calls: 'Alle Anrufe',
    charges: 'Alle Abbuchungen',
    checkouts: 'Alle Bezahlvorgänge',
  },
  by: (all, filter) => `${all}: ${filter}`,
  start: 'Dieses Konto durchsuchen',
  help: 'Geben Sie eine beliebige ID dieses Modus ein, um ihre Seite zu öffnen. Um Händler zu finden, geben Sie einen Teil des Namens ein. Um Anrufe, Abbuchungen und Bezahlvorgänge zu finden, geben Sie eine Telefonnummer (ganz oder ihre letzten 4 bis 10 Ziffern), eine Bestellung, eine Anruf-ID der Plattform oder die letzten vier Ziffern einer Karte ein.',
  back: 'Zurück zu den Listen',
  caller: 'Anrufer',
  callers: 'Anrufer',
  merchants: 'Händler',
  calls: 'Anrufe',
  charges: 'Abbuchungen',
  checkouts: 'Bezahlvorgänge',
  withheld: 'Nummer unterdrückt',
  heads: {
    caller: 'Anrufer',
    outcome: 'Ergebnis',
    amount: 'Betrag',
    merchant: 'Händler',
    id: 'ID',
    started: 'Beginn',
    status: 'Status',
    card: 'Karte',
    created: 'Erstellt',
    refund: 'Erstattung',
  },
};
