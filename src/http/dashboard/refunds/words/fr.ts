/** French words of the refunds' pages. */
import { plural } from '../../words/formats.ts';
import type { RefundWords } from './en.ts';

export const fr: RefundWords = {
  title: 'Remboursements',
  label: 'Remboursements, du plus récent au plus ancien',
  kind: 'Remboursement',
  titleOf: (id) => `Remboursement ${id}`,
  chargeFilter: 'Débit',
  totals: 'Totaux de ces remboursements',
  counted: (refunds, succeeded, currency) =>
    plural(refunds, {
      one: `# remboursement en ${currency}, dont ${plural(succeeded, { one: '# réussi', other: '# réussis' })}`,
      other: `# remboursements en ${currency}, dont ${plural(succeeded, { one: '# réussi', other: '# réussis' })}`,
    }),
  pending: 'En attente',
  refunded: 'Remboursé',
  heads: {
    refund: 'Remboursement',
    amount: 'Montant',
    status: 'Statut',
    merchant: 'Commerçant',
    caller: 'Appelant',
    source: 'Origine',
    reason: 'Motif',
    created: 'Création',
  },
  atProcessor: 'Prestataire',
  empty: {
    title: 'Aucun remboursement pour l’instant',
    text: 'Un remboursement recrédite tout ou partie d’un débit sur la carte qui a servi à payer. Remboursez un débit sur sa page ou avec l’API.',
    action: 'Les remboursements dans l’API',
  },
  activity: 'Activité',
  metadata: 'Métadonnées',
  outcomes: {
    succeeded: 'Remboursé par le prestataire',
    pending: 'Remboursement en attente',
    pendingMore:
      'Le prestataire n’a pas confirmé le résultat. Ne créez pas d’autre remboursement : cette page et le webhook indiqueront le résultat.',
    failed: 'Remboursement échoué',
    failedMore: 'Rien n’a été remboursé.',
  },
  facts: {
    charge: 'Débit',
    refunded: 'Remboursé',
    refundPending: 'Remboursement en attente',
    refundedOf: (refunded, all) => `${refunded} sur ${all}`,
    card: 'Carte',
    caller: 'Appelant',
    checkout: 'Session de paiement',
    merchant: 'Commerçant',
    source: 'Origine',
    processorsDashboard: 'Tableau de bord du prestataire',
    reason: 'Motif',
    reference: 'Référence du prestataire',
    created: 'Création',
  },
};
