import { ifKnown, type TextWords } from '../texts.ts';

export const texts: TextWords = {
  card: (brand, lastFour) => `${brand ?? 'Karte'} mit Endziffern ${lastFour}`,
  with_tip: ({ amount, tip }) => `${amount} (mit ${tip} Trinkgeld)`,
  with_remaining: ({ amount, remaining }) => `${amount} (noch offen: ${remaining})`,
  account: (lastFour) => (lastFour === null ? 'Bankkonto' : `Bankkonto mit Endziffern ${lastFour}`),
  debit_terms: ({ business, amount, account, payer, phone, when }) =>
    `${business}: Am ${when} hat ${payer} eine einmalige Abbuchung von ${amount} vom ${account} erlaubt, an diesem Tag oder später. Sie ist offen, bis die Bank in einigen Tagen bezahlt. Fragen oder Widerruf: ${phone}. Mit STOP abbestellen.`,
  debit_returned: ({ business, amount, account, order, when, phone }) =>
    `${business}: Ihre Bank hat die Abbuchung von ${amount}${ifKnown(' für Bestellung ', order)} (${when}) vom ${account} zurückgegeben. Sie ist nicht bezahlt.${ifKnown(' Fragen: ', phone, '.')} Mit STOP abbestellen.`,
  receipt: ({ business, amount, card, order, when }) =>
    `${business}: ${amount} bezahlt${ifKnown(' per ', card)}.${ifKnown(' Bestellung ', order, '.')} ${when}. Mit STOP abbestellen.`,
  hold: ({ business, amount, card, order, when }) =>
    `${business}: ${amount} reserviert${ifKnown(' auf ', card)}, noch nichts abgebucht.${ifKnown(' Bestellung ', order, '.')} ${when}. Mit STOP abbestellen.`,
  card_saved: ({ business, card }) =>
    `${business}: Ihre Karte ist gespeichert${ifKnown(' (', card, ')')}. Nichts abgebucht. Zum Löschen wenden Sie sich an ${business}. Mit STOP abbestellen.`,
  card_not_saved: ({ business, when }) =>
    `${business}: Ihre Karte wurde nicht gespeichert (${when}). Es wurde nichts abgebucht. Mit STOP abbestellen.`,
  not_charged: ({ business, amount, order, when }) =>
    `${business}: Ihre Zahlung von ${amount}${ifKnown(' für Bestellung ', order)} (${when}) kam nicht zustande. Es wurde nichts abgebucht. Mit STOP abbestellen.`,
  not_collected: ({ business, amount, order, when }) =>
    `${business}: Ihre Zahlung von ${amount}${ifKnown(' für Bestellung ', order)} (${when}) konnte doch nicht eingezogen werden. Es wurde nichts abgebucht, der Betrag ist also noch offen. Mit STOP abbestellen.`,
  late_receipt: ({ business, amount, card, order, when }) =>
    `${business}: Ihre Zahlung von ${amount}${ifKnown(' für Bestellung ', order)} (${when}) wurde doch${ifKnown(' per ', card)} abgebucht. Bitte zahlen Sie nicht noch einmal. Falls Sie anders bezahlt haben, wenden Sie sich an ${business}. Mit STOP abbestellen.`,
  pay_link: ({ business, amount, link }) =>
    `${business}: Bitte zahlen Sie ${amount} hier: ${link} Mit STOP abbestellen.`,
  save_link: ({ business, link }) => `${business}: Bitte speichern Sie Ihre Karte hier: ${link} Mit STOP abbestellen.`,
  page_code: ({ business, code }) =>
    `${business}: ${code} ist Ihr Code für die Zahlungsseite. Sagen Sie ihn niemandem.`,
};
