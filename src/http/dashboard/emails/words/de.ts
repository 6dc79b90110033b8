/** German words of the list of emails. */
import type { EmailListWords } from './en.ts';

export const de: EmailListWords = {
  title: 'E-Mails',
  lead: 'Belege, die Anrufer per E-Mail erhalten, und ob sie gesendet wurden. Die Adressen sind maskiert.',
  label: 'E-Mails, neueste zuerst',
  filters: { checkout: 'Bezahlvorgang', charge: 'Abbuchung', delivery: 'Zustellung', undelivered: 'Nicht zugestellt' },
  heads: { email: 'E-Mail', recipient: 'Empfänger', status: 'Status', created: 'Erstellt' },
  empty: {
    title: 'Noch keine E-Mails',
    text: 'Belege erscheinen hier, wenn zum Bezahlvorgang die E-Mail-Adresse des Anrufers angegeben ist.',
  },
};
