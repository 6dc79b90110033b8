/** German words of the wall board. */
import type { WallWords } from './en.tsx';

export const de: WallWords = {
  title: 'Wandanzeige',
  modes: { test: 'Testmodus', live: 'Livemodus' },
  connecting: 'Verbindung wird aufgebaut',
  timesIn: (zone) => <>Zeiten in {zone}</>,
  fullScreen: 'Vollbild',
  close: 'Schließen',
  liveCalls: 'Laufende Anrufe',
  inProgress: 'Beträge in Bearbeitung',
  rate: 'Erfolgsquote, letzte Stunde',
  attention: 'Zu erledigen',
  newest: 'Neueste laufende Anrufe',
  more: (count) => `und ${count} weitere.`,
  changed: (at) => <>Geändert: {at}</>,
  notKnown: 'Nicht bekannt',
  noCharges: 'Keine Abbuchungen',
  ofCharges: (succeeded, all) => `${succeeded} von ${all} Abbuchungen`,
};
