/** French words of the list of emails. */
import type { EmailListWords } from './en.ts';

export const fr: EmailListWords = {
  title: 'E-mails',
  lead: 'Reçus envoyés par e-mail aux appelants, avec leur statut. Les adresses sont masquées.',
  label: 'E-mails, du plus récent au plus ancien',
  filters: { checkout: 'Session de paiement', charge: 'Débit', delivery: 'Remise', undelivered: 'Non remis' },
  heads: { email: 'E-mail', recipient: 'Destinataire', status: 'Statut', created: 'Création' },
  empty: {
    title: 'Aucun e-mail pour l’instant',
    text: 'Les reçus apparaissent ici si la session de paiement comporte l’adresse e-mail de l’appelant.',
  },
};
