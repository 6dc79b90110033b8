/** German words of the page of live calls. */
import { plural } from '../../words/formats.ts';
import type { NowWords } from './en.ts';

export const de: NowWords = {
  title: 'Laufende Anrufe',
  lead: 'Laufende Anrufe und ihr aktueller Schritt. Eingaben der Anrufer werden nicht angezeigt.',
  connecting: 'Verbindung wird aufgebaut',
  liveTail: 'Live-Protokoll',
  wallBoard: 'Wandanzeige',
  label: 'Laufende Anrufe, neueste zuerst',
  heads: {
    caller: 'Anrufer',
    step: 'Schritt',
    amount: 'Betrag',
    merchant: 'Händler',
    order: 'Bestellung',
    duration: 'Dauer',
    history: 'Historie',
    end: 'Beenden',
  },
  numberWithheld: 'Nummer unterdrückt',
  onTheLine: 'In der Leitung',
  choosing: 'Wählt die Zahlung',
  byBridge: 'Beim Agenten, per Brücke',
  steps: {
    greeting: 'Hört die Begrüßung',
    card_number: 'Tippt die Kartennummer ein',
    expiry: 'Tippt das Ablaufdatum ein',
    security_code: 'Tippt den Prüfcode ein',
    bank_account: 'Tippt ein Bankkonto ein',
    postal_code: 'Tippt die Postleitzahl ein',
    keep_card: 'Gefragt: Karte speichern?',
    confirmation: 'Soll bestätigen',
    paying: 'Karte wird belastet',
    by_link: 'Kann per Link zahlen',
    waiting: 'Wartet auf andere Zahlung',
    leaving: 'Hört das Ergebnis',
    returning: 'Geht zum Agenten zurück',
    ended: 'Endet',
  },
  onlyNewest: (count) =>
    plural(count, {
      one: 'Nur der neueste laufende Anruf wird angezeigt.',
      other: 'Nur die neuesten # laufenden Anrufe werden angezeigt.',
    }),
  certificates: {
    title: 'Zertifikate, die bald ablaufen',
    expires: 'Läuft ab',
    expired: 'Abgelaufen',
    todo: 'Bitten Sie den Betreiber des Dienstes, sie zu erneuern.',
  },
  empty: {
    title: 'Keine laufenden Anrufe',
    text: 'Jeder Anruf erscheint hier, solange er läuft, mit jedem Schritt, sobald er geschieht.',
    tryIt: 'Testanruf starten',
    past: 'Frühere Anrufe',
  },
};
