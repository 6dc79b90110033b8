/** German words of the callers' pages. */
import type { CallerWords } from './en.ts';

export const de: CallerWords = {
  title: 'Anrufer',
  kind: 'Anrufer',
  titleOf: (phone) => `Anrufer ${phone}`,
  endingIn: (digits) => `Anrufer, deren Nummer auf „${digits}“ endet`,
  notices: {
    note: 'Die Notiz ist gespeichert.',
    link: 'Eine SMS mit dem Zahlungslink ist unterwegs.',
    no_link:
      'Es wurde keine SMS gesendet: Die letzte ist weniger als eine Minute her, oder die Nummer nimmt keine SMS an.',
    erased: 'Der Anrufer ist gelöscht. Zahlungen bleiben erhalten, ohne die Nummer.',
  },
  find: {
    title: 'Anrufer suchen',
    none: 'Kein Anrufer hat diese Nummer',
    text: 'Geben Sie oben in der Suche eine vollständige Nummer mit oder ohne Ländervorwahl ein, oder ihre letzten 4 bis 10 Ziffern.',
    number: 'Nummer',
    name: 'Name',
    savedCards: 'Gespeicherte Karten',
  },
  heads: {
    amount: 'Betrag',
    merchant: 'Händler',
    order: 'Bestellung',
    created: 'Erstellt',
    payLink: 'Zahlungslink',
    status: 'Status',
    card: 'Karte',
    refund: 'Erstatten',
    started: 'Beginn',
    outcome: 'Ergebnis',
    duration: 'Dauer',
    text: 'SMS',
  },
  textLink: 'Zahlungslink senden',
  open: { title: 'Kann jetzt bezahlt werden', label: 'Offene Bezahlvorgänge, neueste zuerst' },
  payments: {
    title: 'Zahlungen',
    label: 'Abbuchungen, neueste zuerst',
    none: 'Keine Zahlungen von dieser Nummer.',
    all: 'Alle Abbuchungen',
  },
  refunds: { title: 'Erstattungen', label: 'Erstattungen, neueste zuerst' },
  calls: {
    title: 'Anrufe',
    label: 'Anrufe, neueste zuerst',
    none: 'Keine Anrufe von dieser Nummer.',
    all: 'Alle Anrufe',
  },
  texts: { title: 'SMS', label: 'SMS, neueste zuerst' },
  erase: {
    action: 'Löschen',
    title: 'Anrufer löschen',
    submit: (phone) => `${phone} löschen`,
    noticeTitle: 'Das lässt sich nicht rückgängig machen',
    notice:
      'Nummer, Name, E-Mail-Adresse, Notiz und der Wortlaut von SMS werden in diesem Modus entfernt. Gespeicherte Karten werden gelöscht, hier und bei ihren Zahlungsanbietern. Zahlungen, Erstattungen und Einwilligungen bleiben erhalten, ohne die Nummer.',
  },
  side: {
    name: 'Name',
    email: 'E-Mail',
    savedCards: 'Gespeicherte Karten',
    none: 'Keine.',
    consents: 'Einwilligungen',
    channels: { phone: 'Im Anruf', page: 'Auf der Zahlungsseite', rest: 'Durch Ihren Agenten' },
    consentStates: {
      kept: 'Karte gespeichert',
      agreed: 'Karte noch nicht gespeichert',
      not_kept: 'Karte nicht gespeichert',
    },
    consent: (channel, state) => `${channel}, ${state}`,
    note: 'Notiz',
    saveNote: 'Notiz speichern',
    written: 'Verfasst am',
  },
};
