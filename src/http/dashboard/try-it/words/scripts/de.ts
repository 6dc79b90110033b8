/** German names of the scripts of a test call, and what the caller does in each. */
import type { ScriptTexts } from './en.ts';

export const scripts: ScriptTexts = {
  groups: {
    successful: 'Erfolgreiche Zahlungen',
    unpaid: 'Ohne Zahlung',
    mistakes: 'Fehler des Anrufers',
    failed: 'Fehlgeschlagene Zahlungen',
  },
  scripts: {
    pay: {
      title: 'Zahlt',
      about: 'Hört sich jede Frage an, tippt die Karte ein, zahlt und kehrt zum Agenten zurück.',
    },
    'type-ahead': {
      title: 'In Eile',
      about: 'Tippt Karte, Ablaufdatum und Code schon während der Begrüßung ein.',
    },
    'saved-card': {
      title: 'Gespeicherte Karte',
      about: 'Drückt die 1, um mit einer gespeicherten Karte zu zahlen, falls es beim Händler eine gibt.',
    },
    ach: {
      title: 'Bankkonto',
      about:
        'Zahlt von einem Bankkonto und vertippt sich bei beiden Nummern einmal. Die Lastschrift bleibt unbestätigt. Für Händler mit einer Nummer für Lastschriften.',
    },
    spanish: {
      title: 'Auf Spanisch',
      about: 'Drückt die 9 für Spanisch und zahlt. Für Händler mit Spanisch als zweiter Sprache.',
    },
    tip: {
      title: 'Mit Trinkgeld',
      about: 'Gibt das zweite angebotene Trinkgeld und hört vor der Abbuchung die Summe. Für Händler mit Trinkgeld.',
    },
    part: { title: 'Zahlt einen Teil', about: 'Zahlt 20 vom Betrag. Für Händler, die Teilzahlungen annehmen.' },
    hold: {
      title: 'Lässt reservieren',
      about:
        'Tippt eine Karte für eine Reservierung ein: Der Betrag wird reserviert, und Sie ziehen ihn später ein oder geben ihn frei.',
    },
    'save-only': {
      title: 'Speichert die Karte',
      about:
        'Tippt eine Karte ein und stimmt Ihrem Satz zu. Die Karte wird gespeichert, und es wird nichts abgebucht, unabhängig vom Betrag.',
    },
    mistype: {
      title: 'Vertippt sich',
      about: 'Tippt eine falsche Ziffer, dann ein abgelaufenes Datum, dann alles richtig.',
    },
    star: {
      title: 'Beginnt neu',
      about: 'Macht einen Fehler in der Kartennummer, drückt die Sterntaste und tippt sie noch einmal ein.',
    },
    slow: { title: 'Langsam', about: 'Braucht zwei Sekunden je Taste. Der Anruf dauert 90 Sekunden.' },
    'decline-then-ok': {
      title: 'Abgelehnt, dann bezahlt',
      about: 'Die erste Karte wird abgelehnt, und der Anrufer zahlt mit einer anderen.',
    },
    'call-back': {
      title: 'Ruft noch einmal an',
      about: 'Legt beim Eintippen der Kartennummer auf, ruft wieder an, wird erneut begrüßt und zahlt.',
    },
    declined: { title: 'Abgelehnt', about: 'Wird dreimal abgelehnt und kehrt ohne Zahlung zum Agenten zurück.' },
    'star-star': {
      title: 'Zurück zum Agenten',
      about: 'Drückt zweimal die Sterntaste und kehrt ohne Zahlung zum Agenten zurück.',
    },
    silent: {
      title: 'Bleibt stumm',
      about: 'Drückt keine einzige Taste. Die Leitung fragt noch einmal nach und gibt dann auf.',
    },
    'hangup-mid-card': { title: 'Legt auf', about: 'Legt beim Eintippen der Kartennummer auf.' },
    pending: {
      title: 'Keine Antwort vom Zahlungsanbieter',
      about:
        'Das Ergebnis ist unbekannt, daher bittet die Leitung den Anrufer, nicht noch einmal zu zahlen. Die Abbuchung klärt sich nach einigen Minuten.',
    },
  },
};
