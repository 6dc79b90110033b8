/** French words of the disputes' pages. */
import { plural } from '../../words/formats.ts';
import type { DisputeWords } from './en.tsx';

export const fr: DisputeWords = {
  title: 'Litiges',
  label: 'Litiges, du plus récent au plus ancien',
  kind: 'Litige',
  titleOf: (id) => `Litige ${id}`,
  chargeFilter: 'Débit',
  totals: 'Totaux de ces litiges',
  counted: (disputes, currency) =>
    plural(disputes, { one: `# litige en ${currency}`, other: `# litiges en ${currency}` }),
  sums: { disputed: 'Contesté', won: 'Gagné', lost: 'Perdu', open: 'En cours' },
  heads: {
    dispute: 'Litige',
    amount: 'Montant',
    status: 'Statut',
    reason: 'Motif',
    evidenceDue: 'Preuves jusqu’au',
    dueShort: 'Échéance',
    created: 'Création',
  },
  empty: {
    title: 'Aucun litige pour l’instant',
    text: 'Un litige apparaît ici quand la banque d’un payeur conteste un débit. Configurez les notifications du prestataire sur la page de chaque commerçant.',
    action: 'Les litiges dans la documentation',
  },
  activity: 'Activité',
  facts: {
    charge: 'Débit',
    checkout: 'Session de paiement',
    merchant: 'Commerçant',
    kind: 'Type',
    reason: 'Motif',
    processorCode: 'Code du prestataire',
    evidenceDue: 'Preuves jusqu’au',
    processor: 'Prestataire',
    reference: 'Référence du prestataire',
    created: 'Création',
    updated: 'Modification',
  },
  answer: {
    titles: {
      inquiry: 'La banque du payeur demande des informations sur ce paiement',
      chargeback: 'La banque du payeur conteste ce paiement',
    },
    text: 'Envoyez des preuves dans le tableau de bord du prestataire, ou acceptez-y le litige.',
    until: (at) => <>Date limite du prestataire pour les preuves : {at}.</>,
    show: 'Afficher le litige',
  },
  opened: {
    inquiry: (amount) => `La banque a demandé des informations sur ${amount}`,
    chargeback: (amount) => `La banque a contesté ${amount}`,
  },
  changed: (status) => `Litige : ${status.toLowerCase()}`,
};
