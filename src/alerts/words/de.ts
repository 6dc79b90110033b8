/** German words of messages. */
import type { AlertTexts } from './en.ts';
import { alertFormats } from './formats.ts';

const { number, plural } = alertFormats('de');

export const de: AlertTexts = {
  subject: (from, heading) => `${from}: ${heading}`,
  testMode: (account) => `${account}, Testmodus`,
  labeled: (label, value) => `${label}: ${value}`,
  why: 'Sie erhalten diese E-Mail, weil Sie Benachrichtigungen eingeschaltet haben.',
  settings: 'Benachrichtigungen einstellen',
  open: 'Im Dashboard öffnen',
  more: (count) => plural(count, { one: '# weiterer Punkt', other: '# weitere Punkte' }),
  showAll: 'Alles anzeigen, was zu erledigen ist',
  urgent: (title) => `Dringend: ${title}`,
  problems: (count) => plural(count, { one: '# Punkt ist zu erledigen', other: '# Punkte sind zu erledigen' }),
  resolvedItem: (title) => `Erledigt: ${title}`,
  resolvedCount: (count) => plural(count, { one: '# Punkt ist erledigt', other: '# Punkte sind erledigt' }),
  resolved: 'Erledigt',
  nothingMore: { title: 'Nichts mehr zu tun', text: 'Die Ursache besteht nicht mehr.' },
  test: {
    heading: 'Testnachricht',
    title: 'Benachrichtigungen kommen hier an',
    text: 'So sieht eine Nachricht aus. Es ist nichts zu tun.',
    show: 'Anzeigen, was zu erledigen ist',
  },
  summary: {
    heading: (day) => `Zusammenfassung für ${day}`,
    title: 'Anrufe und Zahlungen',
    calls: 'Anrufe',
    noCalls: 'Keine',
    ofCalls: (calls, paid) => `${number(calls)}, davon ${number(paid)} mit Zahlung`,
    rate: 'Erfolgreiche Abbuchungen',
    ofCharges: (succeeded, all, rate) => `${number(succeeded)} von ${number(all)}, ${rate}`,
    ofChargesWithUsual: (succeeded, all, rate, usual) =>
      `${number(succeeded)} von ${number(all)}, ${rate} (in der Woche davor ${usual})`,
    open: 'Übersicht öffnen',
    attention: 'Zu erledigen',
    nothing: 'Nichts',
    show: 'Anzeigen, was zu tun ist',
  },
  inCurrency: (label, currency) => `${label}, ${currency}`,
  money: { payments: 'Zahlungen', refunded: 'Erstattet', net: 'Netto' },
  ofPayments: (count, amount) => `${amount} (${number(count)})`,
  report: {
    heading: (month) => `Monatsbericht für ${month}`,
    open: 'Bericht öffnen',
    notCounted: 'Der Bericht konnte nicht berechnet werden. Im Dashboard lässt er sich vielleicht öffnen.',
    none: 'Keine Zahlungen, Erstattungen, Anfechtungen oder Auszahlungen',
    disputed: 'Angefochten',
    ofDisputes: (amount, lost) => `${amount}, davon ${lost} verloren`,
    paidOut: 'Ausgezahlt',
    afterFees: (amount, fees) => `${amount}, nach ${fees} Gebühren`,
    shared: (paid, shared, payouts) =>
      `${paid} (${number(shared)} von ${number(payouts)} Auszahlungen gemeinsam mit anderen Händlern)`,
  },
};
