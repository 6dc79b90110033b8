import type { SavingWords } from '../saving.ts';

export const saving: SavingWords = {
  instead: {
    testCard: 'Utilisez 4242 4242 4242 4242, une date à venir et un code de sécurité quelconques.',
    pay: (business) => `Enregistrer votre carte pour ${business}`,
    until: (when) => `Vous pouvez enregistrer votre carte jusqu’à : ${when}.`,
    support: 'Des questions sur l’enregistrement de votre carte ?',
    faultsHeading: 'Vérifiez votre saisie',
    withoutScript:
      'Pour enregistrer une carte sur cette page, il faut JavaScript, qui est désactivé dans ce navigateur. Activez-le ou ouvrez le lien dans un autre navigateur.',
    withoutScriptKeypad:
      'Pour enregistrer une carte sur cette page, il faut JavaScript, qui est désactivé dans ce navigateur. Vous pouvez aussi la saisir avec les touches de votre téléphone : dites-le pendant votre appel.',
    working: {
      heading: 'Votre carte est en cours de vérification',
      text: 'Cela prend quelques secondes. Gardez cette page ouverte.',
    },
    action: {
      heading: 'Votre banque vous demande de confirmer',
      text: 'Confirmez auprès de votre banque que cette carte peut être enregistrée. Vous n’êtes pas débité.',
    },
    paid: {
      heading: 'Carte enregistrée',
      text: (business) => `Merci. Votre carte est enregistrée pour ${business}. Vous n’avez pas été débité.`,
    },
    notTaken: { heading: 'La carte n’a pas été enregistrée' },
    pending: { heading: 'Votre carte est encore en cours de vérification' },
    onPhone: {
      heading: 'Une carte est en cours d’enregistrement par téléphone',
      text: 'La carte de votre appel est en cours de vérification. Vous n’avez rien à faire ici.',
    },
    onCall: {
      asking: 'Votre carte vous est demandée au téléphone. Vous pouvez aussi la saisir ici.',
      keying: 'Une carte est en cours de saisie au téléphone.',
      paying: 'La carte saisie au téléphone est en cours de vérification. Ne saisissez pas de carte ici.',
      waiting: 'Votre appel attend pendant que vous enregistrez votre carte ici.',
      leaving: 'Votre appel reprend avec votre interlocuteur.',
    },
    alreadyPaid: {
      heading: 'Carte déjà enregistrée',
      text: 'Une carte a été enregistrée par téléphone. Vous n’avez rien d’autre à faire.',
    },
    expired: {
      heading: 'Ce lien a expiré',
      text: (business) => `Il n’est plus possible d’enregistrer une carte ici. Demandez un nouveau lien à ${business}.`,
    },
    gone: {
      heading: 'Aucune carte ne peut être enregistrée ici',
      text: 'Aucune carte ne peut être enregistrée ici pour le moment. Vous n’avez pas été débité.',
    },
    otherAttempt:
      'Une carte était déjà en cours d’enregistrement dans une autre fenêtre ou par téléphone. Une seule carte est enregistrée.',
    notStarted: 'Votre carte n’a pas pu être vérifiée et rien n’a été débité. Veuillez réessayer.',
    sentBefore:
      'Ce formulaire avait déjà été envoyé : aucune carte n’a été enregistrée cette fois. Veuillez saisir à nouveau votre carte.',
  },
  browser: {
    working: 'Vérification…',
    still: 'Votre carte est encore en cours de vérification. Gardez cette page ouverte.',
    offline:
      'La connexion est interrompue. Votre saisie est conservée et sera renvoyée automatiquement. Rien n’est débité.',
    unsent:
      'Aucune réponse n’est arrivée : on ne sait pas encore si votre carte est enregistrée. Votre saisie est conservée. Vérifiez votre connexion et appuyez de nouveau sur le bouton : rien n’est débité.',
    blocked:
      'Les champs de la carte n’ont pas pu être chargés : quelque chose les bloque ou la connexion est perdue. Rechargez la page ou saisissez la carte par téléphone pendant votre appel.',
    not_shown:
      'La question de votre banque n’a pas pu s’afficher, et rien n’a été débité. Rechargez la page, ou appuyez sur « Ne pas confirmer » pour utiliser une autre carte.',
    unavailable: 'Votre carte n’a pas pu être vérifiée et rien n’a été débité. Veuillez réessayer.',
  },
  button: 'Enregistrer la carte',
  notCharged: 'Vous n’êtes pas débité maintenant.',
  terms: {
    returning: (business) => `${business} n’utilisera cette carte que si vous la choisissez pour un paiement.`,
    merchant_initiated: (business, max) =>
      max === null
        ? `${business} pourra débiter cette carte plus tard sans vous redemander, comme décrit ci-dessous.`
        : `${business} pourra débiter cette carte plus tard sans vous redemander, comme décrit ci-dessous, de ${max} au plus à chaque fois.`,
  },
  pendingText: 'Nous ne savons pas encore si votre carte est enregistrée. Vous n’avez pas été débité.',
  outcomeByText:
    'Nous ne savons pas encore si votre carte est enregistrée : nous vous enverrons un message dès que nous le saurons. Vous n’avez pas été débité.',
  receipt: { caption: 'Confirmation', to: 'Enregistrée pour' },
};
