/** The sentences of the payment line: French, with vous. */
import type { LineWords } from '../line.ts';

export const line: LineWords = {
  or: 'ou',
  brands: {
    visa: 'Visa',
    mastercard: 'Mastercard',
    'american-express': 'American Express',
    discover: 'Discover',
    'diners-club': 'Diners Club',
    jcb: 'J C B',
    unionpay: 'Union Pay',
    maestro: 'Maestro',
  },
  sentences: {
    greeting: {
      say: ({ business, amount }) => `${business}, ${amount}.`,
      plain: 'Bonjour, vous êtes sur la ligne de paiement.',
    },
    other_language: 'Pour le français, tapez neuf.',
    'choose_merchant.ask': 'Qui souhaitez-vous payer ?',
    'choose_merchant.1': {
      say: ({ business }) => `Pour ${business}, tapez un.`,
      plain: 'Pour votre dernier paiement, tapez un.',
    },
    'choose_merchant.2': {
      say: ({ business }) => `Pour ${business}, tapez deux.`,
      plain: "Pour celui d'avant, tapez deux.",
    },
    'choose_merchant.3': {
      say: ({ business }) => `Pour ${business}, tapez trois.`,
      plain: 'Pour celui encore avant, tapez trois.',
    },
    welcome_back: 'Bonjour à nouveau.',
    'card_number.1': 'Sur votre clavier, tapez votre numéro de carte.',
    'card_number.2': 'Sur votre clavier, veuillez taper le long numéro au recto de votre carte.',
    'card_number.3': 'Encore une fois, veuillez taper le long numéro au recto de votre carte.',
    'card_number.another': "Veuillez taper le numéro d'une autre carte.",
    'card_number.instead': 'Ou tapez votre numéro de carte sur votre clavier.',
    'expiry.1': "Maintenant la date d'expiration, quatre chiffres.",
    'expiry.2': 'Veuillez taper quatre chiffres : zéro neuf, deux huit, pour septembre 2028.',
    'expiry.3': "Veuillez taper deux chiffres pour le mois, puis deux pour l'année.",
    'expiry.doubted': "Veuillez taper encore une fois la date d'expiration, quatre chiffres.",
    'security_code.back.1': 'Maintenant le code de sécurité, trois chiffres au verso.',
    'security_code.back.2': 'Veuillez taper les trois petits chiffres au verso de votre carte, à côté de la signature.',
    'security_code.back.3': 'Veuillez taper les trois derniers chiffres au verso de votre carte.',
    'security_code.back.doubted': 'Veuillez taper encore une fois les trois chiffres au verso de votre carte.',
    'security_code.front.1': 'Maintenant le code de sécurité, quatre chiffres au recto.',
    'security_code.front.2':
      'Veuillez taper les quatre petits chiffres au recto de votre carte, au-dessus du long numéro.',
    'security_code.front.3': 'Veuillez taper les quatre petits chiffres au-dessus du long numéro.',
    'security_code.front.doubted': 'Veuillez taper encore une fois les quatre chiffres au recto de votre carte.',
    'postal_code.1': 'Maintenant le code postal de votre adresse de facturation.',
    'postal_code.2':
      "Veuillez taper les cinq chiffres de votre code postal. S'il est plus court, terminez par la touche dièse.",
    'postal_code.3': 'Veuillez taper le code postal enregistré auprès de votre banque, cinq chiffres.',
    'postal_code.doubted': 'Veuillez taper encore une fois le code postal de votre adresse de facturation.',
    'part.ask': {
      say: ({ amount }) => `Pour payer la totalité, soit ${amount}, tapez un. Pour en payer une partie, tapez deux.`,
      plain: 'Pour payer la totalité, tapez un. Pour en payer une partie, tapez deux.',
    },
    'part_amount.ask': {
      say: ({ minimum }) =>
        `Veuillez taper le montant que vous souhaitez payer, au moins ${minimum}, puis la touche dièse.`,
      plain: 'Veuillez taper le montant que vous souhaitez payer, puis la touche dièse.',
    },
    'part_amount.point': 'Pour la virgule, tapez étoile.',
    'tip.ask': 'Souhaitez-vous laisser un pourboire ?',
    'tip.1': {
      say: ({ percent, amount }) => `Pour ${percent} pour cent, soit ${amount}, tapez un.`,
      plain: 'pour cent, tapez un.',
    },
    'tip.2': {
      say: ({ percent, amount }) => `Pour ${percent} pour cent, soit ${amount}, tapez deux.`,
      plain: 'pour cent, tapez deux.',
    },
    'tip.3': {
      say: ({ percent, amount }) => `Pour ${percent} pour cent, soit ${amount}, tapez trois.`,
      plain: 'pour cent, tapez trois.',
    },
    'tip.none': 'Sans pourboire, tapez zéro.',
    'keep_card.1': 'Pour enregistrer cette carte pour la prochaine fois, tapez un.',
    'keep_card.2': 'Tapez un pour enregistrer cette carte pour votre prochain paiement ici.',
    'keep_card.3': 'Tapez un si vous souhaitez que nous enregistrions cette carte pour la prochaine fois.',
    'keep_card.agree': "Si vous êtes d'accord, tapez un.",
    'keep_card.pay': "Pour payer sans l'enregistrer, tapez deux.",
    'confirmation.card': 'Carte se terminant par',
    'confirmation.pay': { say: ({ amount }) => `Pour payer ${amount}, tapez un.`, plain: 'Pour payer, tapez un.' },
    'confirmation.change': 'Pour utiliser une autre carte, tapez deux.',
    'confirmation.keep': 'Pour payer et enregistrer cette carte pour la prochaine fois, tapez trois.',
    'confirmation.amount': 'Pour modifier le montant, tapez quatre.',
    'confirmation.tip': 'Pour modifier le pourboire, tapez quatre.',
    'saved_card.1': {
      say: ({ brand }) => `Tapez un pour votre carte ${brand} se terminant par`,
      plain: 'Tapez un pour votre carte se terminant par',
    },
    'saved_card.2': {
      say: ({ brand }) => `Tapez deux pour votre carte ${brand} se terminant par`,
      plain: 'Tapez deux pour votre carte se terminant par',
    },
    'saved_card.3': {
      say: ({ brand }) => `Tapez trois pour votre carte ${brand} se terminant par`,
      plain: 'Tapez trois pour votre carte se terminant par',
    },
    'saved_card.4': {
      say: ({ brand }) => `Tapez quatre pour votre carte ${brand} se terminant par`,
      plain: 'Tapez quatre pour votre carte se terminant par',
    },
    'saved_card.5': {
      say: ({ brand }) => `Tapez cinq pour votre carte ${brand} se terminant par`,
      plain: 'Tapez cinq pour votre carte se terminant par',
    },
    'saved_card.all': 'Pour utiliser une de vos cartes enregistrées, tapez un.',
    'saved_card.or_star': 'Ou tapez étoile pour saisir un numéro de carte.',
    'saved_card.unusable':
      "Nous sommes désolés, cette carte enregistrée ne peut pas servir pendant cet appel. Rien n'a été débité.",
    'method.1': 'Pour payer par carte, tapez un. Pour payer depuis votre compte bancaire américain, tapez deux.',
    'method.2': 'Tapez un pour une carte, ou deux pour un compte bancaire américain.',
    'method.3': 'Encore une fois : tapez un pour payer par carte, ou deux pour payer depuis un compte bancaire.',
    'routing_number.1': "Veuillez saisir le numéro d'acheminement de votre banque, neuf chiffres.",
    'routing_number.2': 'Veuillez saisir les neuf chiffres en bas à gauche de vos chèques.',
    'routing_number.3': "Veuillez saisir encore une fois le numéro d'acheminement de votre banque. Il a neuf chiffres.",
    'account_number.1': 'Maintenant votre numéro de compte, puis la touche dièse.',
    'account_number.2': 'Veuillez saisir votre numéro de compte, sans tirets, puis la touche dièse.',
    'account_number.3': 'Veuillez saisir encore une fois votre numéro de compte, puis la touche dièse.',
    'account_number_again.1': 'Veuillez saisir à nouveau le même numéro de compte, puis la touche dièse.',
    'account_number_again.2':
      'Pour vérifier, veuillez saisir votre numéro de compte une deuxième fois, puis la touche dièse.',
    'account_number_again.3': 'Veuillez saisir votre numéro de compte une deuxième fois, puis la touche dièse.',
    'account_type.1': 'Pour un compte courant, tapez un. Pour un compte épargne, tapez deux.',
    'account_type.2': "Tapez un si c'est un compte courant, ou deux si c'est un compte épargne.",
    'account_type.3': 'Veuillez taper un pour un compte courant, ou deux pour un compte épargne.',
    'debit.terms': {
      say: ({ payer, business, amount, date }) =>
        `Aujourd'hui, ${date}, vous, ${payer}, autorisez ${business} à effectuer un seul prélèvement électronique de ${amount}, aujourd'hui ou plus tard, sur votre`,
      plain: 'Vous autorisez un seul prélèvement électronique sur votre',
    },
    'debit.checking': 'compte courant',
    'debit.savings': 'compte épargne',
    'debit.ending': 'se terminant par',
    'debit.questions': {
      say: ({ phone }) => `Pour toute question, ou pour révoquer cet accord avant le traitement, appelez le ${phone}.`,
      plain: 'Pour toute question, ou pour révoquer cet accord avant le traitement, appelez le commerçant.',
    },
    'debit.agree': "Si vous l'autorisez, tapez un. Sinon, tapez deux.",
    way_out: 'Ou tapez deux fois étoile pour revenir à votre conseiller.',
    offer_link: 'Ou appuyez deux fois sur la touche dièse, et nous vous enverrons un lien de paiement par SMS.',
    'again.nothing_keyed': "Nous n'avons reçu aucun chiffre.",
    'again.incomplete': 'Cela ne semble pas complet.',
    'again.number': 'Ce numéro ne semble pas correct.',
    'again.routing_number': "Ce numéro d'acheminement ne semble pas correct.",
    'again.numbers_differ': "Les deux numéros de compte n'étaient pas identiques.",
    'again.date': 'Cette date ne semble pas correcte.',
    'again.choice': 'Veuillez taper un ou deux.',
    'again.choice_of_three': 'Veuillez taper un, deux ou trois.',
    'again.below_minimum': {
      say: ({ minimum }) => `Le montant minimum est de ${minimum}.`,
      plain: 'Ce montant est trop petit.',
    },
    'again.above_total': {
      say: ({ amount }) => `C'est plus que la totalité, soit ${amount}.`,
      plain: 'Ce montant est trop élevé.',
    },
    'again.no_such_key': "Il n'y a pas de choix sur cette touche.",
    'again.listed': 'Aucune carte ne correspond à cette touche.',
    'again.merchant': 'Aucun paiement ne correspond à cette touche.',
    'again.in_the_past': 'Cette date est déjà passée.',
    'again.card_not_accepted': {
      say: ({ brands }) => `Nous n'acceptons pas ce type de carte ici, mais nous prenons ${brands}.`,
      plain: "Nous n'acceptons pas ce type de carte ici.",
    },
    'again.started_over': "D'accord, reprenons depuis le début.",
    'again.needed_again': 'Merci. Nous ne gardons jamais le code de sécurité, il nous le faut donc encore une fois.',
    'again.link_not_sent': 'Nous sommes désolés, nous ne pouvons pas vous envoyer de lien pour le moment.',
    'saving.greeting': {
      say: ({ business }) => `${business}. Nous allons enregistrer une carte pour vous. Rien n'est débité maintenant.`,
      plain: "Bonjour. Cette ligne enregistre votre carte. Rien n'est débité maintenant.",
    },
    'saving.no': 'Sinon, tapez deux.',
    'saving.saved': {
      say: ({ business }) => `Votre carte est enregistrée pour ${business}. Rien n'a été débité.`,
      plain: "Votre carte est enregistrée. Rien n'a été débité.",
    },
    'saving.unconfirmed': "Nous vérifions encore votre carte. Rien n'a été débité.",
    'saving.already': 'Bonne nouvelle, votre carte est déjà enregistrée.',
    'saving.expired': "Le délai pour enregistrer une carte est écoulé. Rien n'a été débité.",
    'saving.canceled': "D'accord, votre carte n'est pas enregistrée.",
    'saving.unavailable':
      "Nous sommes désolés, nous ne pouvons pas enregistrer de carte pour le moment. Rien n'a été débité.",
    'saving.text': 'Nous vous enverrons une confirmation par SMS.',
    'declined.bank':
      "Nous sommes désolés, votre banque n'a pas autorisé le paiement avec cette carte. Rien n'a été débité.",
    'declined.card_number':
      "Nous sommes désolés, votre banque n'a pas reconnu ce numéro de carte. Rien n'a été débité.",
    'declined.expiry': "Cette date d'expiration ne correspond pas à celle de votre banque. Rien n'a été débité.",
    'declined.security_code': "Ce code de sécurité ne correspond pas à cette carte. Rien n'a été débité.",
    'declined.postal_code': "Ce code postal ne correspond pas à celui de votre banque. Rien n'a été débité.",
    'declined.account': "Nous sommes désolés, ce compte bancaire ne peut pas être utilisé. Rien n'a été débité.",
    'declined.kind': "Nous sommes désolés, cette carte ne peut pas servir pour ce paiement. Rien n'a été débité.",
    'declined.later': "Nous sommes désolés, cette carte ne peut pas être utilisée pour le moment. Rien n'a été débité.",
    one_moment: "Un instant, s'il vous plaît.",
    still_working: "C'est en cours, merci de patienter.",
    page_opened:
      'Nous voyons que vous avez ouvert la page de paiement. Vous pouvez y payer, ou taper ici votre numéro de carte.',
    page_patience: 'Prenez votre temps. Vous pouvez payer sur la page, ou taper ici votre numéro de carte.',
    'paying_elsewhere.page': 'Nous voyons que vous payez sur la page. Nous patientons.',
    'paying_elsewhere.other': "Un paiement est en cours de confirmation. Un instant, s'il vous plaît.",
    waiting_for_page: 'Nous attendons toujours le paiement sur la page. Merci de patienter.',
    waiting_for_bank: 'Votre banque vous demande de confirmer le paiement sur la page. Nous patientons.',
    paid_elsewhere: 'Merci, nous avons bien reçu votre paiement.',
    'declined_elsewhere.page':
      "Le paiement sur la page n'a pas abouti, et rien n'a été débité. Vous pouvez réessayer sur la page.",
    'declined_elsewhere.other': "Ce paiement n'a pas abouti, et rien n'a été débité.",
    'link_sent.number': 'Nous vous envoyons un lien de paiement au numéro se terminant par',
    'link_sent.stay': 'Nous restons en ligne pendant que vous payez.',
    link_opened: 'Nous voyons que vous avez ouvert la page de paiement. Prenez votre temps.',
    'link_waiting.text': 'Nous sommes toujours là. Ouvrez le lien du SMS quand vous voulez.',
    'link_waiting.page': 'Nous sommes toujours là. Prenez votre temps sur la page.',
    link_good: 'Vous pouvez payer avec le lien que nous vous avons envoyé.',
    succeeded: {
      say: ({ amount, business }) => `Vous avez payé ${amount} à ${business}.`,
      plain: 'Votre paiement a été effectué.',
    },
    held: {
      say: ({ amount, business }) =>
        `Nous avons bloqué ${amount} sur votre carte pour ${business}. Rien n'a encore été débité.`,
      plain: "Nous avons bloqué le montant sur votre carte. Rien n'a encore été débité.",
    },
    debited: {
      say: ({ amount, business }) =>
        `Votre paiement bancaire de ${amount} à ${business} est en cours. Il reste en attente jusqu'à ce que votre banque le règle, dans quelques jours.`,
      plain:
        "Votre paiement bancaire est en cours. Il reste en attente jusqu'à ce que votre banque le règle, dans quelques jours.",
    },
    card_kept: 'Votre carte est enregistrée.',
    receipt: 'Nous vous enverrons un reçu par SMS.',
    unconfirmed: "Le paiement n'est pas encore confirmé. Ne payez pas une deuxième fois, s'il vous plaît.",
    still_confirming:
      "Votre paiement est encore en cours de confirmation. Ne payez pas une deuxième fois, s'il vous plaît.",
    text_follows: 'Nous vous enverrons un SMS dès que nous le saurons.',
    'gave_up.no_input': "Nous n'avons pas reçu les données de votre carte, donc rien n'a été débité.",
    'gave_up.invalid_input':
      "Cette fois, nous n'avons pas pu traiter les données de votre carte, et rien n'a été débité.",
    'gave_up.no_choice': "Nous n'avons pas reçu votre choix. Rappelez quand vous voulez.",
    'gave_up.declined':
      "Nous sommes désolés, votre banque n'a pas autorisé non plus le paiement avec cette carte. Rien n'a été débité.",
    canceled: "D'accord, rien n'a été débité.",
    'call_ended.unpaid': "Nous sommes désolés, nous devons nous arrêter ici. Rien n'a été débité.",
    'call_ended.declined': 'Nous devons nous arrêter ici.',
    'link_stays.asked': "D'accord. Vous pouvez toujours payer avec le lien que nous vous avons envoyé.",
    'link_stays.no_payment':
      "Nous n'avons pas encore vu de paiement. Vous pouvez toujours payer avec le lien que nous vous avons envoyé.",
    'link_stays.ended':
      'Nous sommes désolés, nous devons nous arrêter ici. Vous pouvez toujours payer avec le lien que nous vous avons envoyé.',
    expired: "Le délai pour ce paiement est écoulé. Rien n'a été débité.",
    already_paid: "Bonne nouvelle, c'est déjà payé. Rien de plus n'a été débité.",
    already_held: "Le montant est déjà bloqué pour ce paiement. Rien de plus n'a été bloqué ni débité.",
    'already_paid.part': {
      say: ({ amount, business }) =>
        `Une partie est déjà payée, et rien de plus n'a été débité. Reste à payer : ${amount}. Pour le régler, demandez un nouveau paiement à ${business}.`,
      plain:
        "Une partie est déjà payée, et rien de plus n'a été débité. Un nouveau paiement est nécessaire pour le reste.",
    },
    too_many_attempts:
      "Nous sommes désolés, nous ne pouvons pas essayer une autre carte pour le moment. Rien n'a été débité.",
    unavailable: "Nous sommes désolés, nous ne pouvons pas accepter de paiement pour le moment. Rien n'a été débité.",
    merchant_fault:
      "Nous sommes désolés, nous ne pouvons pas accepter ce paiement. Votre carte n'y est pour rien, et rien n'a été débité.",
    session_not_taken: 'Nous sommes désolés, nous ne pouvons pas accepter de paiement lors de cet appel.',
    no_payment_waiting:
      "Vous êtes sur une ligne de paiement, et aucun paiement n'est en attente pour votre numéro. Veuillez contacter l'entreprise que vous souhaitez payer.",
    keypad_unavailable:
      "Nous sommes désolés, nous ne pouvons pas accepter de carte par téléphone ici. Rien n'a été débité.",
    hand_over: 'Nous vous repassons votre conseiller.',
    goodbye: 'Au revoir.',
    no_agent: "Nous n'avons pas pu joindre votre conseiller.",
    'stands.succeeded': 'Votre paiement a bien été effectué.',
    'stands.held': 'Le montant est bien bloqué sur votre carte.',
    'stands.pending': "Ne payez pas une deuxième fois, s'il vous plaît.",
    'stands.link': 'Vous pouvez toujours payer avec le lien que nous vous avons envoyé.',
    'stands.nothing_charged': "Rien n'a été débité. Rappelez quand vous voulez.",
  },
};
