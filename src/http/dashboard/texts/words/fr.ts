/** French words of the list of texts. */
import { plural } from '../../words/formats.ts';
import type { TextListWords } from './en.ts';

export const fr: TextListWords = {
  title: 'SMS',
  lead: 'SMS envoyés aux appelants, avec leur statut de remise. Les liens de paiement et les codes ne sont jamais affichés.',
  label: 'SMS, du plus récent au plus ancien',
  totals: 'Totaux de ces SMS',
  counted: (texts) => plural(texts, { one: '# SMS', other: '# SMS' }),
  filters: {
    checkout: 'Session de paiement',
    charge: 'Débit',
    delivery: 'Remise',
    undelivered: 'Échoués ou non remis',
  },
  heads: { text: 'SMS', recipient: 'Destinataire', status: 'Statut', message: 'Contenu', created: 'Création' },
  empty: {
    title: 'Aucun SMS pour l’instant',
    text: 'Les reçus, les liens de paiement et les codes apparaissent ici. Aucun SMS n’est envoyé en mode test ; la démo les affiche sur une page à part.',
  },
};
