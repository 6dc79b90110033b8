/** French, with vous. Two-part punctuation has its no-break space. */
import type { PageWords } from '../page.ts';

export const page: PageWords = {
  name: 'Français',
  language: 'Langue',
  testMode: 'Mode test : aucun argent réel ne circule.',
  testCard: 'Payez avec 4242 4242 4242 4242, une date à venir et un code de sécurité quelconques.',
  pay: (business) => `Payer ${business}`,
  payButton: (amount) => `Payer ${amount}`,
  hold: (business) => `Montant à bloquer pour ${business}`,
  holdButton: (amount) => `Bloquer ${amount}`,
  testWallet: 'Payer avec le portefeuille de test',
  forNumber: (lastTwo) => `Pour le numéro de téléphone se terminant par ${lastTwo}`,
  until: (when) => `Vous pouvez payer jusqu’à : ${when}.`,
  support: 'Des questions sur ce paiement ?',
  terms: 'Conditions générales',
  privacy: 'Confidentialité',
  order: 'Commande',
  items: 'Articles',
  total: 'Total',
  part: {
    heading: 'Combien souhaitez-vous payer ?',
    all: (amount) => `Le tout : ${amount}`,
    label: 'Ou payer une partie',
    atLeast: (minimum) => `au moins ${minimum}`,
    use: 'Afficher ce montant',
    fault: (minimum, amount) => `Saisissez un montant de ${minimum} à ${amount}.`,
  },
  tip: { heading: 'Ajouter un pourboire', none: 'Sans pourboire', of: (percent, amount) => `${percent} : ${amount}` },
  card: 'Carte',
  fields: {
    number: { label: 'Numéro de carte', hint: null },
    expiry: { label: 'Date d’expiration', hint: 'MM / AA' },
    security_code: {
      label: 'Code de sécurité',
      hint: '3 chiffres au dos ; 4 au recto d’une American Express',
    },
    postal_code: { label: 'Code postal', hint: null },
  },
  faults: {
    number_missing: 'Saisissez le numéro de la carte.',
    number_incomplete: 'Le numéro de la carte est trop court.',
    number_wrong: 'Vérifiez le numéro de la carte : un chiffre est erroné ou manquant.',
    number_not_accepted: 'Ce type de carte n’est pas accepté ici. Utilisez une autre carte.',
    expiry_missing: 'Saisissez la date d’expiration.',
    expiry_wrong: 'Saisissez le mois et l’année d’expiration, par exemple 04 / 29.',
    expiry_past: 'La date d’expiration est passée.',
    security_code_missing: 'Saisissez le code de sécurité.',
    security_code_wrong: 'Vérifiez le code de sécurité : il n’a pas la bonne longueur.',
    postal_code_missing: 'Saisissez le code postal.',
    postal_code_wrong: 'Vérifiez le code postal.',
    consent_missing: 'Cochez la case si vous êtes d’accord. Sinon, votre carte n’est pas enregistrée.',
  },
  faultsHeading: 'Vérifiez les données de la carte',
  keepCard: 'Enregistrer cette carte pour mes prochains paiements ici, sur cette page ou par téléphone.',
  encrypted: 'Les données de votre carte sont envoyées chiffrées.',
  saved: {
    heading: 'Payer avec une carte enregistrée',
    question: 'Avez-vous déjà enregistré une carte ici ?',
    offer: (lastTwo) => `Nous envoyons d’abord un code par SMS au numéro se terminant par ${lastTwo}.`,
    ask: 'M’envoyer un code',
    sent: (lastTwo) => `Le code a été envoyé au numéro se terminant par ${lastTwo}. Il est valable cinq minutes.`,
    code: 'Code du SMS',
    show: 'Voir mes cartes',
    again: 'Envoyer un autre code',
    faults: {
      wrong: 'Ce n’est pas le code. Saisissez les six chiffres du dernier SMS.',
      over: 'Ce code n’est plus valable. Demandez-en un autre.',
      limit:
        'Aucun autre code ne peut être envoyé pour le moment. Saisissez une carte plus haut, ou réessayez plus tard.',
    },
    none: 'Aucune carte n’est enregistrée ici pour ce numéro. Saisissez une carte plus haut.',
    payWith: (amount, card, expiry) => `Payer ${amount} avec ${card}, valable jusqu’au ${expiry}`,
    holdWith: (amount, card, expiry) => `Bloquer ${amount} sur ${card}, valable jusqu’au ${expiry}`,
  },
  withoutScript:
    'Pour payer par carte sur cette page, il faut JavaScript, désactivé dans ce navigateur. Activez-le ou ouvrez le lien dans un autre navigateur.',
  withoutScriptKeypad:
    'Pour payer par carte sur cette page, il faut JavaScript, désactivé dans ce navigateur. Vous pouvez aussi payer avec le clavier de votre téléphone : dites-le pendant votre appel.',
  loadingFields: 'Chargement des champs de la carte…',

  working: {
    heading: 'Votre paiement est en cours',
    text: 'Cela prend quelques secondes. Gardez cette page ouverte et ne payez pas une seconde fois.',
  },
  action: {
    heading: 'Votre banque vous demande de confirmer',
    text: 'Confirmez le paiement auprès de votre banque. Vous ne serez débité qu’ensuite.',
  },
  paid: { heading: 'Payé', text: (business) => `Merci. ${business} a reçu votre paiement.` },
  held: {
    heading: 'Montant bloqué',
    text: (amount, business) =>
      `Nous avons bloqué ${amount} sur votre carte pour ${business}. Rien n’a encore été débité.`,
  },
  holdNotice: (business) =>
    `Le montant est seulement bloqué sur votre carte. ${business} le débitera plus tard ou le libérera.`,
  declined: { heading: 'La carte a été refusée' },
  notTaken: { heading: 'Le paiement n’a pas été effectué' },
  noMoreAttempts: { heading: 'Plus de tentative possible' },
  pending: { heading: 'Votre paiement n’est pas encore confirmé' },
  orderPending: { heading: 'Cette commande est en cours de paiement' },
  onPhone: {
    heading: 'Paiement par téléphone en cours',
    text: 'Un paiement est en cours pendant votre appel. Vous n’avez rien à faire ici.',
  },
  onCall: {
    asking: 'Votre carte vous est demandée au téléphone. Vous pouvez aussi payer ici.',
    keying: 'Une carte est en cours de saisie au téléphone.',
    paying: 'La carte saisie au téléphone est en cours de débit. Ne payez pas ici, s’il vous plaît.',
    waiting: 'Votre appel attend pendant que vous payez ici.',
    leaving: 'Votre appel reprend avec votre interlocuteur.',
  },
  alreadyPaid: { heading: 'Déjà payé', text: 'Le paiement a été fait par téléphone. Il ne reste rien à payer.' },
  alreadyPaidInPart: {
    heading: 'Payé en partie',
    text: 'Une partie a été payée par téléphone. Le reste ne peut pas être réglé sur cette page.',
  },
  alreadyHeld: {
    heading: 'Montant déjà bloqué',
    text: 'Le montant est déjà bloqué pour cette commande. Vous n’avez rien d’autre à faire.',
  },
  expired: {
    heading: 'Ce lien a expiré',
    text: (business) => `Il n’est plus possible de payer ici. Demandez un nouveau lien à ${business}.`,
  },
  nothingToPay: { heading: 'Rien à payer', text: 'Il n’y a rien à payer ici pour le moment.' },
  gone: {
    heading: 'Paiement impossible ici',
    text: 'Aucun paiement ne peut être reçu ici pour le moment. Vous n’avez pas été débité.',
  },
  notFound: {
    heading: 'Ce lien ne fonctionne pas',
    text: 'Ouvrez de nouveau le lien complet de votre message. S’il ne fonctionne toujours pas, demandez-en un autre.',
  },
  tooMany: {
    heading: 'Trop de tentatives',
    text: 'Attendez une minute, puis ouvrez de nouveau le lien de votre message.',
  },
  notOurs: {
    heading: 'Ouvrez de nouveau le lien',
    text: 'Ce formulaire ne vient pas de notre page : rien n’a été débité. Ouvrez de nouveau le lien de votre message.',
  },
  failed: {
    heading: 'Une erreur s’est produite chez nous',
    text: 'Rouvrez la page dans un instant. Elle vous dira si le paiement a été fait ; d’ici là, ne payez pas autrement.',
  },

  otherAttempt:
    'Le paiement était déjà en cours dans une autre fenêtre ou par téléphone. Vous n’êtes débité qu’une fois.',
  notStarted: 'Le paiement n’a pas pu démarrer et rien n’a été débité. Veuillez réessayer.',
  sentBefore:
    'Ce formulaire avait déjà été envoyé : rien n’a été débité cette fois. Veuillez saisir à nouveau votre carte.',
  confirm: 'Confirmer',
  doNotConfirm: 'Ne pas confirmer',
  browser: {
    working: 'Paiement…',
    still: 'Le paiement est toujours en cours. Gardez cette page ouverte et ne payez pas une seconde fois.',
    offline:
      'La connexion est interrompue. Votre saisie est conservée et le paiement sera renvoyé automatiquement. Vous n’êtes débité qu’une fois.',
    unsent:
      'Aucune réponse n’est arrivée : on ne sait pas encore si le paiement a été fait. Votre saisie est conservée. Vérifiez votre connexion et appuyez de nouveau sur le bouton : vous n’êtes débité qu’une fois.',
    slow: 'Les champs de la carte tardent à s’afficher. Patientez ou vérifiez votre connexion.',
    blocked:
      'Les champs de la carte n’ont pas pu être chargés : quelque chose les bloque ou la connexion est perdue. Rechargez la page ou payez par téléphone pendant votre appel.',
    incomplete: 'Vérifiez les données de la carte.',
    declined: 'Cette carte n’a pas pu être utilisée. Essayez une autre carte.',
    not_shown:
      'La question de votre banque n’a pas pu s’afficher, et rien n’a été débité. Rechargez la page, ou appuyez sur « Ne pas confirmer » pour payer autrement.',
    not_verified: 'Votre banque n’a pas pu confirmer votre identité. Réessayez ou utilisez une autre carte.',
    unavailable: 'Le paiement n’a pas pu démarrer et rien n’a été débité. Veuillez réessayer.',
  },
  checkAgain: 'Vérifier de nouveau',
  toThePage: 'Retour au paiement',
  continueTo: (host) => `Continuer vers ${host}`,
  followsSoon: 'La page s’ouvrira dans quelques secondes.',
  stay: 'Rester sur cette page',
  receipt: {
    caption: 'Reçu',
    amount: 'Montant',
    tip: 'Dont pourboire',
    remaining: 'Reste à payer',
    to: 'Payé à',
    business: 'Entreprise',
    card: 'Carte',
    cardEnding: (brand, lastFour) => `${brand ?? 'Carte'} se terminant par ${lastFour}`,
    account: 'Compte bancaire',
    accountEnding: (lastFour) => (lastFour === null ? 'Compte américain' : `Compte se terminant par ${lastFour}`),
    when: 'Date',
    refunded: 'Remboursé',
    refundPending: 'Remboursement en attente',
    reference: 'Référence',
  },
};
