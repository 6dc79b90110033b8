/** French names of statuses, reasons and kinds. */
import { declineWords } from '../../../../contract/decline-words.ts';
import type { Names } from './en.ts';

export const fr: Names = {
  role: { owner: 'propriétaire', developer: 'développeur', support: 'assistance', viewer: 'lecteur' },
  chargeStatus: {
    pending: 'En attente',
    authorized: 'Montant bloqué',
    succeeded: 'Réussi',
    failed: 'Échoué',
    voided: 'Annulé',
    expired: 'Expiré',
  },
  declineCode: declineWords('fr'),
  refundStatus: { pending: 'En attente', succeeded: 'Réussi', failed: 'Échoué' },
  refundReason: {
    duplicate: 'Débit en double',
    fraudulent: 'Fraude',
    requested_by_customer: 'À la demande du client',
  },
  sessionStatus: { open: 'Ouverte', complete: 'Terminée', expired: 'Expirée' },
  callOutcome: {
    succeeded: 'Réussi',
    failed: 'Échoué',
    pending: 'En attente',
    canceled: 'Abandonné',
    expired: 'Expiré',
    agent: 'Retour à l’agent',
  },
  callReason: {
    no_input: 'Aucune saisie',
    invalid_input: 'Saisie non valide',
    declined: 'Refusé',
    too_many_attempts: 'Trop de tentatives',
    error: 'Erreur',
    keypad_unavailable: 'Clavier indisponible',
    link_sent: 'Lien envoyé',
    bank_debit: 'Prélèvement bancaire',
  },
  disputeStatus: {
    needs_response: 'Réponse requise',
    under_review: 'En cours d’examen',
    won: 'Gagné',
    lost: 'Perdu',
    closed: 'Clos',
  },
  disputeKind: { inquiry: 'Demande d’informations', chargeback: 'Rétrofacturation' },
  disputeReason: {
    fraudulent: 'Fraude',
    duplicate: 'Débit en double',
    not_received: 'Non reçu',
    not_as_described: 'Non conforme à la description',
    canceled: 'Achat annulé',
    credit_not_processed: 'Remboursement non effectué',
    amount_differs: 'Montant différent',
    paid_by_other_means: 'Payé par un autre moyen',
    general: 'Autre motif',
  },
  payoutStatus: { pending: 'En attente', paid: 'Versé', failed: 'Échoué', canceled: 'Annulé' },
  payoutEntryKind: { charge: 'Débit', refund: 'Remboursement', dispute: 'Litige', fee: 'Frais', other: 'Autre' },
  deliveryState: {
    waiting: 'En attente',
    failing: 'Réessai prévu',
    failed: 'Échoué',
    delivered: 'Remis',
    canceled: 'Annulé',
  },
};
