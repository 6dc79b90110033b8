/** French words of manual settlement. */
import type { SettleWords } from './en.tsx';

const textTo = (phone: string | null, what: string) =>
  phone === null ? '' : ` ${what} est envoyé par SMS au ${phone} si l’envoi y est possible.`;

const lostRefund = {
  title: (amount: string, card: string) => `Le remboursement de ${amount} sur ${card} n’a pas eu lieu`,
  submit: (amount: string) => `Régulariser : non remboursé (${amount})`,
  consequence: () =>
    'Le remboursement est marqué comme échoué, vos endpoints de webhook reçoivent refund.failed et le débit peut être remboursé de nouveau. Si l’argent a tout de même été remboursé, il risque de l’être deux fois.',
};

export const fr: SettleWords = {
  title: 'Régulariser manuellement',
  needsSettling: {
    charge: {
      title: 'Ce débit est à régulariser manuellement',
      text: 'Le prestataire n’a jamais indiqué le résultat et Ringkey ne vérifie plus. Un propriétaire ou un développeur doit le consulter dans le tableau de bord du prestataire et régulariser le débit ici.',
    },
    refund: {
      title: 'Ce remboursement est à régulariser manuellement',
      text: 'Le prestataire n’a jamais indiqué le résultat et Ringkey ne vérifie plus. Un propriétaire ou un développeur doit le consulter dans le tableau de bord du prestataire et régulariser le remboursement ici.',
    },
  },
  cardOnly: 'Carte',
  savesOnly: 'sans montant, pour enregistrer une carte',
  leads: {
    charge: (amount, card, merchant) => (
      <>
        Débit : {amount}, {card}, {merchant}
      </>
    ),
    refund: (amount, card, merchant) => (
      <>
        Remboursement : {amount}, {card}, {merchant}
      </>
    ),
  },
  checkFirst: (processor) => `Consultez d’abord le tableau de bord ${processor}`,
  checkText: {
    charge:
      'Le prestataire n’a jamais indiqué le résultat de ce débit et Ringkey ne vérifie plus. Saisissez uniquement ce que le prestataire affiche. Vous ne pourrez plus le modifier.',
    refund:
      'Le prestataire n’a jamais indiqué le résultat de ce remboursement et Ringkey ne vérifie plus. Saisissez uniquement ce que le prestataire affiche. Vous ne pourrez plus le modifier.',
  },
  next: 'Continuer',
  outcome: 'Résultat chez le prestataire',
  processorId: { charge: 'ID du paiement chez le prestataire', refund: 'ID du remboursement chez le prestataire' },
  idHint: 'Requis seulement si le paiement ou le remboursement a eu lieu.',
  noId: 'Saisissez l’ID du prestataire. Tout paiement ou remboursement effectué en a un.',
  cardNumber: 'Cela ressemble à un numéro de carte, que Ringkey n’enregistre jamais.',
  badId: 'Saisissez l’ID exactement comme le prestataire l’affiche, sans espaces.',
  endings: {
    charge: {
      succeeded: {
        option: 'Le paiement a réussi',
        title: (amount, card) => `Le débit de ${amount} sur ${card} a eu lieu`,
        submit: (amount) => `Régulariser : débité (${amount})`,
        consequence: (phone) =>
          `La session de paiement est payée, et vos endpoints de webhook reçoivent checkout.succeeded et checkout.completed.${textTo(phone, 'Le reçu')}`,
      },
      not_received: {
        option: 'Le prestataire n’a jamais reçu le paiement',
        title: (amount, card) => `Le débit de ${amount} sur ${card} n’a jamais eu lieu`,
        submit: (amount) => `Régulariser : non débité (${amount})`,
        consequence: (phone) =>
          `Le débit est marqué comme échoué, et vos endpoints de webhook reçoivent checkout.failed. Si la carte a tout de même été débitée, l’appelant risque de payer deux fois.${textTo(phone, 'Un avis indiquant que rien n’a été débité')}`,
      },
    },
    saving: {
      not_received: {
        option: 'La carte n’a pas été enregistrée, ou sa référence chez le prestataire n’est pas connue ici',
        title: (_, card) => `La carte n’a pas été enregistrée : ${card}`,
        submit: () => 'Régulariser : carte non enregistrée',
        consequence: (phone) =>
          `Le débit est marqué comme échoué, aucune carte n’est enregistrée, et vos endpoints de webhook reçoivent checkout.failed.${textTo(phone, 'Un avis indiquant que la carte n’a pas été enregistrée')}`,
      },
    },
    refund: {
      succeeded: {
        option: 'Le remboursement a réussi',
        title: (amount, card) => `Le remboursement de ${amount} sur ${card} a eu lieu`,
        submit: (amount) => `Régulariser : remboursé (${amount})`,
        consequence: () =>
          'Le remboursement est marqué comme réussi, et vos endpoints de webhook reçoivent refund.succeeded.',
      },
      refused: { ...lostRefund, option: 'Le prestataire a accepté le remboursement, mais celui-ci a échoué' },
      not_received: { ...lostRefund, option: 'Le prestataire n’a jamais reçu le remboursement' },
    },
  },
  merchant: (name) => <>Commerçant : {name}.</>,
  reference: (processor, id) => (
    <>
      Référence {processor} : {id}.
    </>
  ),
  onlyRecords:
    'Rien n’est envoyé au prestataire : seul le résultat qu’il affiche est consigné ici. Vous ne pourrez plus le modifier.',
  sentBefore: 'Ce formulaire a déjà été envoyé',
  nothingChanged: 'Rien n’a été modifié',
  state: (amount, status) => `État actuel : ${amount}, ${status.toLowerCase()}.`,
  stateWith: (amount, status, processor, id) =>
    `État actuel : ${amount}, ${status.toLowerCase()}, référence ${processor} ${id}.`,
  back: { charge: 'Retour au débit', refund: 'Retour au remboursement' },
};
