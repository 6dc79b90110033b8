/** German words of the list of texts. */
import { plural } from '../../words/formats.ts';
import type { TextListWords } from './en.ts';

export const de: TextListWords = {
  title: 'SMS',
  lead: 'SMS an Anrufer und ihre Zustellung. Zahlungslinks und Codes werden nie angezeigt.',
  label: 'SMS, neueste zuerst',
  totals: 'Anzahl dieser SMS',
  counted: (texts) => plural(texts, { one: '# SMS', other: '# SMS' }),
  filters: {
    checkout: 'Bezahlvorgang',
    charge: 'Abbuchung',
    delivery: 'Zustellung',
    undelivered: 'Fehlgeschlagen oder nicht zugestellt',
  },
  heads: { text: 'SMS', recipient: 'Empfänger', status: 'Status', message: 'Nachricht', created: 'Erstellt' },
  empty: {
    title: 'Noch keine SMS',
    text: 'Belege, Zahlungslinks und Codes erscheinen hier. Im Testmodus werden keine SMS gesendet; die Demo zeigt sie auf einer eigenen Seite.',
  },
};
