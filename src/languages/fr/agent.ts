/** French, with vous. */
import type { AgentWords, CallerWords } from '../agent.ts';

/** `what` with its article. */
function mistyped(what: string, pronoun: 'le' | 'la'): CallerWords {
  const shown = what.charAt(0).toUpperCase() + what.slice(1);
  return {
    agentMessage: `La banque dit que ${what} ne correspond pas. Voulez-vous ${pronoun} vérifier et réessayer ?`,
    displayMessage: `${shown} ne correspond pas. Veuillez ${pronoun} vérifier et réessayer.`,
  };
}

export const agent: AgentWords = {
  errors: {
    card_declined: {
      agentMessage: 'Désolé, cette carte a été refusée. Voulez-vous utiliser une autre carte ?',
      displayMessage: 'Votre carte a été refusée. Veuillez essayer une autre carte.',
    },
    instrument_not_found: {
      agentMessage: 'Désolé, je ne trouve pas cette carte enregistrée. Voulez-vous en utiliser une autre ?',
      displayMessage: "Cette carte n'est pas enregistrée. Veuillez choisir une autre carte.",
    },
    processor_mismatch: {
      agentMessage:
        'Je ne peux pas utiliser cette carte ici, mais je peux vous envoyer par SMS un lien sécurisé pour payer. Cela vous convient-il ?',
      displayMessage: 'Cette carte ne peut pas être utilisée ici. Veuillez payer avec le lien que nous vous envoyons.',
    },
    merchant_credentials_invalid: {
      agentMessage:
        "Désolé, je ne peux pas accepter de paiement pour le moment. Votre carte n'est pas en cause, et rien n'a été débité.",
      displayMessage:
        "Les paiements ne sont pas possibles pour le moment. Votre carte n'est pas en cause, et rien n'a été débité.",
    },
    needs_enrollment: {
      agentMessage:
        "Je n'ai pas encore de carte enregistrée pour vous ici, mais je peux vous envoyer par SMS un lien sécurisé pour payer. Voulez-vous que je l'envoie ?",
      displayMessage: "Aucune carte n'est encore enregistrée ici. Veuillez payer avec le lien que nous vous envoyons.",
    },
    processor_unavailable: {
      agentMessage:
        "Je n'ai pas pu confirmer que ce paiement a abouti, alors ne payez pas une seconde fois, s'il vous plaît.",
      displayMessage: "Nous n'avons pas encore pu confirmer votre paiement. Ne payez pas une seconde fois.",
    },
    rate_limit: {
      agentMessage: "Désolé, cela n'a pas fonctionné. Donnez-moi un instant, et nous pourrons réessayer.",
      displayMessage: "Trop d'essais. Veuillez attendre un instant et réessayer.",
    },
    order_lookup_failed: {
      agentMessage:
        'Désolé, je ne trouve pas cette commande pour le moment, je ne peux donc pas encore prendre le paiement.',
      displayMessage: "Nous n'avons pas trouvé cette commande. Rien n'a été débité.",
    },
    card_save_failed: {
      agentMessage: "Désolé, je n'ai pas pu enregistrer cette carte. Voulez-vous en utiliser une autre ?",
      displayMessage: "Cette carte n'a pas pu être enregistrée. Veuillez essayer une autre carte.",
    },
  },
  declines: {
    insufficient_funds: {
      agentMessage:
        "Désolé, la banque n'a pas autorisé ce montant sur cette carte. Voulez-vous utiliser une autre carte ?",
      displayMessage: "Votre banque n'a pas autorisé ce montant. Veuillez essayer une autre carte.",
    },
    expired_card: {
      agentMessage: 'Désolé, cette carte a expiré. Voulez-vous utiliser une autre carte ?',
      displayMessage: 'Votre carte a expiré. Veuillez essayer une autre carte.',
    },
    card_not_supported: {
      agentMessage: 'Désolé, cette carte ne peut pas servir à ce paiement. Voulez-vous utiliser une autre carte ?',
      displayMessage: 'Cette carte ne peut pas servir à ce paiement. Veuillez essayer une autre carte.',
    },
    authentication_required: {
      agentMessage:
        "Désolé, la banque veut que le titulaire confirme ce paiement, et cela n'a pas été fait. Voulez-vous utiliser une autre carte ?",
      displayMessage:
        "Votre banque vous a demandé de confirmer ce paiement, et cela n'a pas été fait. Veuillez réessayer ou prendre une autre carte.",
    },
    incorrect_number: mistyped('le numéro de la carte', 'le'),
    incorrect_cvc: mistyped('le code de sécurité', 'le'),
    incorrect_expiry: mistyped("la date d'expiration", 'la'),
    incorrect_zip: mistyped('le code postal', 'le'),
    processing_error: {
      agentMessage: "Désolé, ce paiement n'a pas pu être traité. Voulez-vous réessayer, ou utiliser une autre carte ?",
      displayMessage: "Votre paiement n'a pas pu être traité. Veuillez réessayer ou prendre une autre carte.",
    },
    try_again_later: {
      agentMessage:
        'Désolé, cette carte ne peut pas être débitée pour le moment. Voulez-vous utiliser une autre carte, ou réessayer plus tard ?',
      displayMessage:
        'Cette carte ne peut pas être débitée pour le moment. Veuillez réessayer plus tard ou prendre une autre carte.',
    },
  },
  other: {
    no_more_attempts: {
      agentMessage:
        "Désolé, je ne peux plus lancer de paiement pour cette commande pour le moment. Rien n'a été débité.",
      displayMessage: "Aucun autre essai n'est possible pour le moment. Rien n'a été débité.",
    },
    order_paid: {
      agentMessage: "Cette commande est déjà payée, il n'y a donc plus rien à régler.",
      displayMessage: "Cette commande est déjà payée. Il n'y a plus rien à régler.",
    },
    order_has_payment: {
      agentMessage: 'Il y a déjà un paiement pour cette commande, je ne peux donc pas en accepter un autre.',
      displayMessage: "Il y a déjà un paiement pour cette commande. Il n'est pas possible d'en faire un autre ici.",
    },
    order_pending: {
      agentMessage:
        'Un paiement pour cette commande est en cours de confirmation, merci de ne pas payer une nouvelle fois.',
      displayMessage: 'Un paiement pour cette commande est en cours de confirmation. Merci de ne pas payer à nouveau.',
    },
    debit_declined: {
      agentMessage:
        "Je suis désolé, le paiement depuis votre compte bancaire n'a pas abouti. Souhaitez-vous payer par carte ?",
      displayMessage: "Le paiement depuis votre compte bancaire n'a pas abouti. Veuillez payer par carte.",
    },
    outcome_by_text: {
      agentMessage:
        "Je n'ai pas pu confirmer que ce paiement a abouti, alors ne payez pas une seconde fois, s'il vous plaît. Nous vous enverrons un SMS dès que nous le saurons.",
      displayMessage:
        "Nous n'avons pas encore pu confirmer votre paiement. Ne payez pas une seconde fois : nous vous enverrons un SMS dès que nous le saurons.",
    },
    no_card_on_file: {
      agentMessage: "Je suis désolé, je n'ai ici aucune carte enregistrée à votre nom que je puisse débiter.",
      displayMessage: 'Aucune carte enregistrée ici ne permet de payer.',
    },
    card_not_usable: {
      agentMessage:
        'Je suis désolé, je ne peux pas utiliser cette carte ici. Souhaitez-vous payer avec une autre carte ?',
      displayMessage: 'Cette carte ne peut pas être utilisée ici. Veuillez utiliser une autre carte.',
    },
    link_not_texted: {
      agentMessage: 'Je suis désolé, je ne peux pas vous envoyer de lien pour le moment.',
      displayMessage: 'Aucun lien ne peut être envoyé à ce numéro pour le moment.',
    },
    refund_unavailable: {
      agentMessage: "Désolé, je ne peux pas rembourser ce montant pour le moment. Rien n'a été remboursé.",
      displayMessage: "Les remboursements ne sont pas possibles pour le moment. Rien n'a été remboursé.",
    },
    refund_unknown: {
      agentMessage:
        "Je n'ai pas encore pu confirmer ce remboursement. Vous n'avez rien d'autre à faire ; ce sera réglé sous peu.",
      displayMessage:
        "Nous n'avons pas encore pu confirmer le remboursement. Ce sera réglé sous peu ; vous n'avez rien à faire.",
    },
  },
  checkout: {
    transfer: 'Je vous transfère maintenant vers notre ligne de paiement sécurisée. Merci de préparer votre carte.',
    transferToSave:
      'Je vous transfère maintenant vers notre ligne sécurisée pour enregistrer votre carte. Merci de la préparer.',
    linkToSave: 'Je vous envoie maintenant par message un lien sécurisé pour enregistrer votre carte.',
    transferWithoutKeypad: 'Je vous transfère maintenant vers notre ligne de paiement sécurisée.',
    cardOrLater:
      'Vous pouvez payer maintenant avec la carte que nous avons enregistrée, ou plus tard. Que préférez-vous ?',
    linkOrLater:
      'Vous pouvez payer maintenant avec un lien sécurisé que je vous envoie par SMS, ou plus tard. Que préférez-vous ?',
    later: "Vous n'avez pas besoin de payer maintenant ; vous pouvez payer plus tard.",
    nothingDue: "Tout est en ordre. Il n'y a rien à payer pour le moment.",
  },
  outcome: {
    paid: 'Merci, votre paiement a bien été effectué.',
    paidPart: (remaining) => `Merci, votre paiement a bien été effectué. Reste à payer : ${remaining}.`,
    held: (amount) => `Merci, nous avons bloqué ${amount} sur votre carte. Rien n'a encore été débité.`,
    saved: "Merci, votre carte est enregistrée. Rien n'a été débité.",
    savingPending: 'Votre carte est en cours de vérification.',
    unsaved: "Aucune carte n'est encore enregistrée. Rien n'a été débité.",
    released: "Le montant bloqué sur votre carte a été libéré, et rien n'a été débité.",
    debited:
      "Merci, votre paiement par compte bancaire est en route. Il reste en attente jusqu'au règlement par votre banque, dans quelques jours.",
    returned: "Votre banque a rejeté ce paiement, il n'est donc pas réglé.",
    notCollected: "Ce paiement n'a finalement pas pu être encaissé, il n'est donc pas réglé.",
    confirming: 'Un paiement est en cours de confirmation, merci de ne pas payer une nouvelle fois.',
    expired: "Le délai pour ce paiement est écoulé, et rien n'a été débité.",
    linkTexted: 'Vous pouvez toujours payer avec le lien sécurisé que nous vous avons envoyé par SMS.',
    unpaid: "Rien n'a encore été payé.",
    notConnected:
      "Désolé, l'appel vers notre ligne de paiement n'a pas abouti, et rien n'a été débité. Voulez-vous réessayer ?",
    nothingKeyed:
      "La ligne de paiement n'a pas reçu les données de votre carte, donc rien n'a été débité. Voulez-vous réessayer ?",
    notUnderstood:
      "La ligne de paiement n'a pas pu lire les données de votre carte, donc rien n'a été débité. Voulez-vous réessayer ?",
    stopped: "Le paiement a été interrompu, et rien n'a été débité. Voulez-vous réessayer ?",
    noKeypad: "Désolé, il n'est pas possible ici de saisir une carte au clavier. Rien n'a été débité.",
    lineFailed:
      "Désolé, un problème est survenu sur la ligne de paiement. Rien n'a été débité. Voulez-vous réessayer ?",
  },
};
