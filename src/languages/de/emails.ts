import type { EmailWords } from '../emails.ts';

export const emails: EmailWords = {
  receipt: (business, amount) => ({
    subject: `Ihr Beleg von ${business}: ${amount}`,
    heading: 'Bezahlt',
    text: `Vielen Dank. ${business} hat Ihre Zahlung erhalten.`,
  }),
  hold: (business, amount) => ({
    subject: `${business}: ${amount} auf Ihrer Karte reserviert`,
    heading: 'Betrag reserviert',
    text: `Wir haben ${amount} für ${business} auf Ihrer Karte reserviert. Es wurde noch nichts abgebucht.`,
  }),
  not_charged: (business, amount) => ({
    subject: `${business}: Ihre Zahlung von ${amount} kam nicht zustande`,
    heading: 'Nicht bezahlt',
    text: `Ihre Zahlung an ${business} kam nicht zustande. Es wurde nichts abgebucht.`,
  }),
  late_receipt: (business, amount) => ({
    subject: `${business}: Ihre Zahlung von ${amount} wurde doch abgebucht`,
    heading: 'Doch bezahlt',
    text: `Wir haben Ihnen gesagt, dass Ihre Zahlung fehlgeschlagen ist. Sie wurde aber abgebucht. Bitte zahlen Sie nicht noch einmal. Falls Sie anders bezahlt haben, wenden Sie sich an ${business}.`,
  }),
  debit_returned: (business, amount) => ({
    subject: `${business}: Ihre Bank hat Ihre Zahlung von ${amount} zurückgegeben`,
    heading: 'Von Ihrer Bank zurückgegeben',
    text: `Ihre Bank hat die Abbuchung für Ihre Zahlung an ${business} zurückgegeben. Der Betrag ist also noch offen.`,
  }),
  not_collected: (business, amount) => ({
    subject: `${business}: Ihre Zahlung von ${amount} konnte nicht eingezogen werden`,
    heading: 'Nicht bezahlt',
    text: `Wir haben Ihnen Ihre Zahlung an ${business} bestätigt, aber sie konnte doch nicht eingezogen werden. Es wurde nichts abgebucht, der Betrag ist also noch offen.`,
  }),
  card_saved: (business) => ({
    subject: `${business}: Ihre Karte ist gespeichert`,
    heading: 'Karte gespeichert',
    text: `Ihre Karte ist für ${business} gespeichert. Es wurde nichts abgebucht. Zum Löschen wenden Sie sich an ${business}.`,
  }),
  card_not_saved: (business) => ({
    subject: `${business}: Ihre Karte wurde nicht gespeichert`,
    heading: 'Karte nicht gespeichert',
    text: `Ihre Karte konnte nicht für ${business} gespeichert werden. Es wurde nichts abgebucht.`,
  }),
  tip: 'davon Trinkgeld',
  row: (label, value) => `${label}: ${value}`,
  footer: (business) => `Sie erhalten diese E-Mail, weil Sie ${business} Ihre Adresse für einen Beleg gegeben haben.`,
};
