/** French words of the charges' pages. */
import { plural } from '../../words/formats.ts';
import type { ChargeWords } from './en.tsx';

export const fr: ChargeWords = {
  title: 'Débits',
  label: 'Débits, du plus récent au plus ancien',
  kind: 'Débit',
  titleOf: (id) => `Débit ${id}`,
  filters: { attention: 'Suivi', decline: 'Motif de refus', countedAs: 'Compté comme' },
  needsAttention: 'À traiter',
  countedAs: {
    succeeded: 'Réussi ou montant bloqué',
    failed: 'Échoué',
    completed: 'Terminé',
    pending: 'En attente',
  },
  totals: 'Totaux de ces débits',
  reasons: 'Motifs de ces débits échoués',
  counted: (charges, succeeded, currency) =>
    plural(charges, {
      one: `# débit en ${currency}, dont ${plural(succeeded, { one: '# réussi', other: '# réussis' })}`,
      other: `# débits en ${currency}, dont ${plural(succeeded, { one: '# réussi', other: '# réussis' })}`,
    }),
  sums: { gross: 'Brut', refunded: 'Remboursé', net: 'Net' },
  heads: {
    amount: 'Montant',
    status: 'Statut',
    card: 'Carte',
    merchant: 'Commerçant',
    caller: 'Appelant',
    order: 'Commande',
    source: 'Origine',
    created: 'Création',
  },
  sources: { phone: 'Appel', saved_card: 'Carte enregistrée', page: 'Page de paiement' },
  withoutCaller: 'Carte enregistrée, sans l’appelant',
  empty: {
    title: 'Aucun débit pour l’instant',
    text: 'Les débits apparaissent ici dès que des appelants paient : pendant un appel, avec une carte enregistrée ou sur la page de paiement.',
    action: 'Cartes de test',
  },
  badges: {
    returned: 'Rejeté par la banque',
    captureFailed: 'Encaissement échoué',
    partiallyRefunded: 'Partiellement remboursé',
    refunded: 'Remboursé',
    refundPending: 'Remboursement en attente',
    partRefundedPartPending: 'Partie remboursée, partie en attente',
    cardSaved: 'Carte enregistrée',
    paidLate: 'Confirmé tardivement : à traiter',
    duplicate: 'Doublon : à traiter',
  },
  causes: {
    declined: 'Refusé',
    not_received: 'Jamais reçu par le prestataire',
    not_processed: 'Non traité',
    merchant: 'Échoué',
  },
  activity: 'Activité',
  pending: {
    title: 'Le prestataire n’a pas confirmé le résultat',
    text: 'Ringkey continue de vérifier. Ne demandez pas à l’appelant de payer de nouveau : cette page et le webhook indiqueront le résultat.',
  },
  facts: {
    card: 'Carte',
    paidFrom: 'Payé depuis',
    tip: 'Pourboire',
    leftToPay: 'Reste à payer',
    debited: 'Prélèvement accepté',
    returned: 'Rejeté par la banque',
    captureFailed: 'Encaissement échoué',
    captureBefore: 'À encaisser avant le',
    captured: 'Encaissé',
    fee: 'Frais',
    net: 'Net',
    payout: 'Virement',
    arrival: (day) => `Arrivée le ${day}`,
    refunded: 'Remboursé',
    refundPending: 'Remboursement en attente',
    source: 'Origine',
    checkout: 'Session de paiement',
    call: 'Appel',
    duplicateOf: 'Doublon de',
    order: 'Commande',
    caller: 'Appelant',
    merchant: 'Commerçant',
    processor: 'Prestataire',
    reference: 'Référence du prestataire',
    processorCode: 'Code du prestataire',
    created: 'Création',
    settled: 'Résultat connu le',
  },
  late: {
    title: 'Ce débit a été signalé comme échoué, mais le prestataire a débité la carte',
    text: 'L’appelant a peut-être entendu que rien n’a été débité. La commande est considérée comme payée. Livrez-la ou remboursez le débit.',
    wasDuplicate: 'Ce débit était un doublon, et l’autre débit est remboursé',
    duplicateRefundPending: 'Ce débit est peut-être un doublon, et le remboursement de l’autre débit est en attente',
    maybeDuplicate: 'Ce débit est peut-être un doublon',
    other: (other, status) => (
      <>
        Il a été signalé comme échoué, mais le prestataire a débité la carte. {other} concerne la même session de
        paiement ou la même commande, avec le statut « {status.toLowerCase()} ».
      </>
    ),
    wait: 'Attendez son résultat avant de rembourser l’un des deux.',
    refund: (amount) => `Rembourser ${amount} comme doublon`,
    seen: (at) => <>Marqué comme vu le {at}.</>,
    markSeen: 'Marquer comme vu',
  },
  amountIn: (currency) => `Montant en ${currency}`,
  next: 'Continuer',
  noAmount: (example) => `Saisissez un montant comme ${example}.`,
  back: 'Retour au débit',
  nothingChanged: 'Rien n’a été modifié',
  hold: {
    titles: { capture: 'Encaisser', void: 'Annuler le blocage' },
    lead: (amount, card) => (
      <>
        Blocage de {amount} sur {card}
      </>
    ),
    most: (amount) => `${amount} au maximum. Le reste est libéré.`,
    capture: (amount) => `Encaisser ${amount}`,
    captureAll: 'C’est la totalité du montant bloqué. Cette action est irréversible.',
    captureRest: (rest) => `Le reste, soit ${rest}, est libéré. Cette action est irréversible.`,
    release: (amount) => `Libérer ${amount}`,
    releaseText: 'Rien n’est débité. Cette action est irréversible.',
    noAnswer: 'Le prestataire n’a pas répondu',
  },
  refund: {
    title: 'Rembourser',
    lead: (amount, card) => (
      <>
        Débit de {amount} sur {card}
      </>
    ),
    most: (amount) => `Vous pouvez rembourser ${amount} au maximum.`,
    left: (amount) => `Montant remboursable : ${amount}.`,
    half: (amount) => `La moitié : ${amount}`,
    reason: 'Motif',
    noReason: 'Sans motif',
    submit: (amount) => `Rembourser ${amount}`,
    confirm: (amount, card) => `Rembourser ${amount} sur ${card}`,
    live: 'De l’argent réel est en jeu, et cette action est irréversible.',
    test: 'En mode test, aucun argent réel n’est en jeu.',
    before: (amount) => `Montant déjà remboursé ou en cours de remboursement sur ce débit : ${amount}.`,
    refused: 'Rien n’a été remboursé',
    sentBefore: 'Ce formulaire a déjà été envoyé',
    sentBeforeText:
      'L’envoyer de nouveau ne crée pas d’autre remboursement. Consultez le statut du remboursement sur la page du débit.',
    unknown: 'Le prestataire n’a pas confirmé le remboursement',
    stillLeft: (left, all) => `Montant encore remboursable : ${left} sur ${all}.`,
    noneLeft: (all) => `La totalité (${all}) est déjà remboursée ou en cours de remboursement.`,
    again: 'Recommencer',
  },
};
