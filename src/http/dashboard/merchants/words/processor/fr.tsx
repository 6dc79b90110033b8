/** French words of the pages that connect a merchant's processor and prove it. */

import { plural } from '../../../words/formats.ts';
import type { ProcessorWords } from './en.tsx';

const kinds: ProcessorWords['kinds'] = {
  stripe: {
    title: 'Stripe',
    text: 'Accepte les cartes sur la page de paiement. Au clavier aussi, si Stripe a activé les paiements MOTO et les données de carte brutes pour le compte.',
    credentials: {
      secret_key: { label: 'Clé secrète ou restreinte', hint: 'sk_… ou rk_…' },
      publishable_key: { label: 'Clé publiable', hint: 'pk_…, pour la page de paiement.' },
      account_id: { label: 'Compte connecté', hint: 'acct_…, si le compte appartient à votre plateforme.' },
    },
  },
  square: {
    title: 'Square',
    text: 'Accepte les cartes sur la page de paiement seulement. Les appelants reçoivent aussitôt le lien par SMS.',
    credentials: {
      access_token: { label: 'Jeton d’accès' },
      application_id: { label: 'ID de l’application' },
      location_id: { label: 'ID du point de vente' },
    },
  },
  authorizenet: {
    title: 'Authorize.net',
    text: 'Accepte les cartes au clavier et, sur la page de paiement, avec Accept.js.',
    credentials: {
      api_login_id: { label: 'Identifiant API (« API Login ID »)' },
      transaction_key: { label: 'Clé de transaction (« Transaction Key »)' },
      public_client_key: { label: 'Clé client publique', hint: 'Pour la page de paiement.' },
    },
  },
  checkoutcom: {
    title: 'Checkout.com',
    text: 'Accepte les cartes au clavier et les jetons sur vos propres pages. N’a pas de champs de carte sur la page de paiement.',
    credentials: {
      secret_key: { label: 'Clé secrète', hint: 'sk_…' },
      public_key: { label: 'Clé publique', hint: 'pk_…, pour les jetons.' },
      processing_channel_id: { label: 'Canal de traitement', hint: 'pc_…, si vous en avez plusieurs.' },
      prefix: { label: 'Préfixe de votre adresse API', hint: 'Comme dans prefix.api.checkout.com.' },
    },
  },
  worldpay: {
    title: 'Worldpay',
    text: 'Accepte les cartes au clavier et sur la page de paiement, par Access Worldpay.',
    credentials: {
      username: { label: 'Nom d’utilisateur' },
      password: { label: 'Mot de passe' },
      entity: { label: 'Entité', hint: 'Fournie par Worldpay, par exemple default.' },
      narrative: { label: 'Libellé du relevé', hint: 'Ce que lisent les payeurs, 24 caractères au plus.' },
      checkout_id: { label: 'ID Checkout', hint: 'Pour la page de paiement.' },
    },
  },
  braintree: {
    title: 'Braintree',
    text: 'Accepte les cartes au clavier et sur la page de paiement.',
    credentials: {
      public_key: { label: 'Clé publique' },
      private_key: { label: 'Clé privée' },
      merchant_account_id: { label: 'ID du compte marchand', hint: 'Pas l’ID du marchand.' },
      currency: { label: 'Devise', hint: 'Celle de ce compte marchand, par exemple USD.' },
      tokenization_key: { label: 'Clé de tokenisation', hint: 'Pour la page de paiement.' },
    },
  },
  hyperswitch: {
    title: 'Hyperswitch',
    text: 'Accepte les cartes au clavier sur votre propre serveur Hyperswitch. Sans cartes enregistrées ni page de paiement.',
    credentials: {
      base_url: { label: 'Adresse du serveur', hint: 'https://…' },
      api_key: { label: 'Clé API', hint: 'snd_… ou prd_…' },
      connector: { label: 'Connecteur', hint: 'adyen, checkout ou worldpayvantiv.' },
      profile_id: { label: 'ID du profil', hint: 'pro_…, si vous en avez plusieurs.' },
    },
  },
  adyen: {
    title: 'Adyen',
    text: 'Accepte les cartes au clavier et sur la page de paiement. A besoin de ses notifications : sans elles, les encaissements et les remboursements restent en attente.',
    credentials: {
      api_key: { label: 'Clé API' },
      merchant_account: { label: 'Compte marchand', hint: 'Un compte qui accepte les paiements MOTO.' },
      url_prefix: { label: 'Préfixe de vos adresses', hint: 'En mode réel seulement (« live URL prefix »).' },
      client_key: { label: 'Clé client', hint: 'test_… ou live_…, pour la page de paiement.' },
      environment: { label: 'Environnement de la clé client', hint: 'En mode réel, par exemple live-us.' },
      report_api_key: { label: 'Clé API pour les rapports', hint: 'Pour les virements.' },
    },
  },
  payconnector: {
    title: 'Connecteur de paiement',
    text: 'Accepte les cartes au clavier et les envoie à l’endpoint d’un Generic Pay Connector (Twilio). Sans cartes enregistrées, remboursements ni page de paiement.',
    credentials: {
      url: { label: 'URL de l’endpoint', hint: 'https://…' },
      username: { label: 'Nom d’utilisateur' },
      password: { label: 'Mot de passe' },
      lookup_url: { label: 'URL de consultation', hint: 'Pour les débits dont la réponse s’est perdue.' },
    },
  },
  sandbox: { title: 'Sandbox', text: 'Accepte les cartes de test. Aucun argent n’est en jeu.', credentials: {} },
  sandbox_page: {
    title: 'Sandbox, page de paiement seulement',
    text: 'Accepte les cartes de test sur la page de paiement seulement.',
    credentials: {},
  },
};

const notifications: ProcessorWords['notifications'] = {
  title: 'Notifications du prestataire',
  notices: {
    set: 'Secret enregistré. Les notifications sont acceptées',
    removed: 'Secret supprimé. Les notifications ne sont plus acceptées',
  },
  about: (docs) => (
    <>
      Le prestataire informe Ringkey des paiements en attente, des litiges, ainsi que des remboursements, encaissements
      et annulations faits dans son propre tableau de bord. {docs('Les notifications dans la documentation')}
    </>
  ),
  back: 'Retour au commerçant',
  connectFirst: 'Connectez d’abord un prestataire',
  cannot: (processor) => `${processor} n’envoie pas de notifications vérifiables`,
  atProcessor: 'Chez le prestataire',
  facts: {
    processor: 'Prestataire',
    where: 'Emplacement',
    url: 'URL',
    events: 'Événements',
    status: 'Statut',
    former: 'Ancien secret accepté jusqu’au',
  },
  noUrl: 'Définissez d’abord RINGKEY_PUBLIC_URL.',
  copyUrl: 'Copier l’URL',
  secret: 'Secret de signature',
  set: 'Défini',
  notSet: 'Non défini',
  save: 'Enregistrer le secret',
  replace: 'Remplacer le secret',
  remove: 'Supprimer le secret',
  label: 'Secret fourni par le prestataire',
  currentStays: 'Le secret actuel reste accepté pendant 24 heures.',
  places: {
    stripe: {
      where: 'Développeurs, Webhooks (« Developers », « Webhooks »)',
      events: 'payment_intent.*, charge.*, refund.*, payout.*',
      secret: 'Le secret de signature de l’endpoint (whsec_…).',
    },
    square: {
      where: '« Developer Console », « Webhooks », « Subscriptions »',
      events: 'payment.*, refund.*, dispute.*, payout.*',
      secret: 'La clé de signature de l’abonnement (« Signature key »).',
    },
    authorizenet: {
      where: '« Account », « Webhooks »',
      events: 'Tous ceux de net.authorize.payment',
      secret: 'La clé de signature du compte, 128 chiffres hexadécimaux.',
    },
    checkoutcom: {
      where: 'Un workflow avec une action webhook',
      events: 'Tous les événements de paiement et de litige',
      secret: 'La clé de signature que vous y saisissez.',
    },
    hyperswitch: {
      where: '« Control Center », « Developers », « Payment settings »',
      events: 'Tous',
      secret: 'La « Payment response hash key » du profil.',
    },
    adyen: {
      where: '« Developers », « Webhooks », « Standard webhook »',
      events:
        'Les événements par défaut, EXPIRE, TECHNICAL_CANCEL, REFUNDED_REVERSED, REPORT_AVAILABLE (virements) et tous ceux des litiges',
      secret: 'La clé HMAC, 64 chiffres hexadécimaux.',
    },
    braintree: {
      where: '« Control Panel », « Settings », « API », « Webhooks »',
      events: 'Tous ceux des litiges, et les remboursements échoués',
      secret: 'La clé privée avec laquelle Braintree est connecté, 32 chiffres hexadécimaux.',
    },
    worldpay: {
      where: 'Demandez à votre « Implementation Manager » d’ajouter l’URL et d’activer l’en-tête Event-Signature',
      events: 'Tous les événements de paiement',
      secret: 'Le secret partagé qui vous est remis.',
    },
  },
};

const proof: ProcessorWords['proof'] = {
  title: 'Débit de test',
  connected: 'Prestataire connecté. Faites maintenant un débit de test',
  theProcessor: 'Le prestataire',
  nothingCharged: 'Rien n’a été débité',
  about: (amount, processor, card) => (
    <>
      Débite {amount} chez {processor} sur une carte de test publiée ({card}), comme si un appelant l’avait saisie au
      clavier, puis rembourse ce montant. Aucun argent réel n’est en jeu.
    </>
  ),
  placeCall: 'Passer un appel de test',
  done: 'Terminé',
  back: 'Retour au commerçant',
  make: 'Faire un débit de test',
  makeAnother: 'Faire un autre débit de test',
  checkoutCreated: (amount) => `Session de paiement de ${amount} créée`,
  reference: (id) => <>Référence du prestataire : {id}</>,
  notAboutCard: (processor) =>
    `${processor} a refusé le débit à cause du compte du commerçant, de ses identifiants ou de la requête, et non à cause de la carte.`,
  code: (code) => <>Code du prestataire : {code}</>,
  reports: (processor) => `Ce que ${processor} signale`,
  charge: 'Voir le débit',
  charged: (processor) => `${processor} : carte de test débitée`,
  chargedIn: (processor, duration) => `${processor} : carte de test débitée en ${duration}`,
  underASecond: 'moins d’une seconde',
  verdict: {
    open: (count) =>
      plural(count, {
        one: 'Le débit de test a fonctionné. # exigence ci-dessus reste à satisfaire',
        other: 'Le débit de test a fonctionné. # exigences ci-dessus restent à satisfaire',
      }),
    works: (processor, amount) => `Tout fonctionne : ${processor} a débité et remboursé ${amount}`,
    charges: (processor, amount) => `Tout fonctionne : ${processor} a débité ${amount}, sans remboursement`,
    pending: (processor, amount) =>
      `Tout fonctionne : ${processor} a débité ${amount}. Le remboursement est en attente`,
    failsMore: (processor) => `Corrigez la cause chez ${processor}, puis faites un autre débit de test.`,
    unknown: (processor) => `Pas encore connu : ${processor} n’a pas confirmé le débit`,
    fails: (processor) => `Cela ne fonctionne pas encore : ${processor} n’a rien débité`,
  },
  notCharged: (processor) => `${processor} : carte de test non débitée`,
  notConfirmed: (processor) => `${processor} : résultat du débit non confirmé`,
  keepsLooking: 'Ringkey continue de se renseigner. Rechargez cette page dans une minute.',
  refunded: 'Remboursé',
  refundSent: (processor) => `${processor} : remboursement envoyé, pas encore confirmé`,
  refundLater: 'Certains prestataires le confirment plus tard. Rechargez cette page dans une minute.',
  notRefunded: 'Non remboursé',
  cannotRefund: (processor, charge) => (
    <>
      Ringkey ne peut pas rembourser de paiements chez {processor}. Le débit de test reste dans son environnement de
      test. Débit : {charge}
    </>
  ),
  refundRefused: (processor, charge) => (
    <>
      {processor} a refusé le remboursement. Débit : {charge}
    </>
  ),
  noCard: {
    connectFirst: 'Connectez d’abord un prestataire.',
    pageOnly:
      'Ce prestataire n’accepte les cartes que sur la page de paiement. Passez un appel de test et payez avec le lien reçu par SMS.',
    noneKnown: 'Ce prestataire ne publie pas de carte de test.',
  },
  testModeOnly: 'Les débits de test n’existent qu’en mode test.',
  refusals: {
    notMade: 'Le débit n’a pas été fait.',
    nothingToPay: 'La règle de paiement du commerçant n’exige aucun paiement pour ce montant.',
    limit:
      'Trop de débits ont échoué ici récemment : les limites contre le test de cartes volées refusent celui-ci. Réessayez dans une heure.',
    credentials: 'Les identifiants du commerçant sont inutilisables. Connectez de nouveau le prestataire.',
    unavailable: 'La base de données n’a pas répondu à temps. Réessayez.',
    other: (reason) => `Le débit a été refusé (${reason}).`,
  },
};

export const fr: ProcessorWords = {
  steps: 'Étapes',
  step: {
    choose: 'Choisir le prestataire',
    credentials: 'Saisir ses identifiants',
    test: 'Faire un débit de test',
  },
  connect: 'Connecter un prestataire',
  connectTo: (processor) => `Connecter ${processor}`,
  processors: 'Prestataires',
  kinds,
  optional: (label) => `${label} (facultatif)`,
  otherProcessors: 'Autres prestataires',
  mustBegin: (label, prefixes) => `« ${label} » doit commencer par ${prefixes.join(' ou ')}.`,
  wrongForm: (label, processor, mode) =>
    `« ${label} » n’a pas le format qu’utilise ${processor} en mode ${mode === 'test' ? 'test' : 'réel'}. Copiez-le de nouveau.`,
  isMissing: (label) => `« ${label} » manque.`,
  connectErrors: {
    invalid_credentials: (processor) =>
      `${processor} a refusé ces identifiants. Vérifiez qu’ils sont de ce mode et d’un même compte, puis copiez-les de nouveau.`,
    vendor_not_provisioned: (processor) =>
      `${processor} accepte ces identifiants, mais le compte ne peut pas encore accepter de paiements. Terminez sa configuration chez ${processor}, puis connectez-le de nouveau.`,
    processor_unavailable: (processor) =>
      `${processor} n’a pas pu être joint pour tester ces identifiants. Réessayez dans une minute.`,
  },
  notificationSecret: 'Secret de ses notifications (facultatif)',
  notificationSecretHint: 'Si vous le laissez vide, un secret antérieur est conservé.',
  notificationSecretFault:
    'Un secret de notifications compte de 10 à 250 caractères : lettres, chiffres et symboles, sans espaces. Copiez-le de nouveau.',
  replaces: 'Remplace le prestataire actuel dès le prochain débit.',
  notifications,
  proof,
};
