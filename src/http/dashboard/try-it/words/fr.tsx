/** French words of "Try it". */
import { plural } from '../../words/formats.ts';
import type { TryWords } from './en.tsx';
import { scripts } from './scripts/fr.ts';

export const fr: TryWords = {
  title: 'Essayer',
  lead: 'Un appelant automatique compose l’adresse d’une session de paiement et essaie de payer. Suivez l’appel, puis écoutez ce que l’appelant a entendu.',
  notAvailable: 'Les appels de test ne sont pas disponibles sur ce service.',
  onlyInTest: 'Les appels de test n’existent qu’en mode test.',
  ...scripts,
  form: {
    notPlaced: 'L’appel n’a pas été passé',
    script: 'Ce que fait l’appelant',
    merchant: 'Commerçant',
    noProcessor: 'aucun prestataire',
    card: 'Carte',
    defaultCard: 'Celle du scénario',
    cardHint: (link) => (
      <>
        {link('Cartes de test')} du prestataire du commerçant. Certains scénarios utilisent toujours leur propre carte.
      </>
    ),
    amount: 'Montant',
    place: 'Passer l’appel',
    hint: 'Un appelant automatique compose, écoute et appuie sur des touches comme une personne. Aucun téléphone n’est nécessaire et aucun argent réel n’est en jeu.',
    at: (vendor) => `Chez ${vendor}`,
    cardsOf: (vendor) => `Cartes de test ${vendor}`,
  },
  faults: {
    script: 'Choisissez ce que fait l’appelant.',
    merchant: 'Choisissez un commerçant.',
    sandboxCard: 'Choisissez une carte de test de la sandbox.',
    notAt: (vendor, limit) => `Pas chez ${vendor} : ${limit}`,
    vendorCard: (vendor) => `Choisissez une carte de test de ${vendor}, le prestataire du commerçant.`,
    amount: (example, minimum) => `Saisissez un montant tel que ${example}. Le minimum est ${minimum}.`,
    noTransfer: (merchant, policy, line) =>
      `${merchant} n’exige aucun paiement pour ce montant (sa règle est « ${policy} »). Il n’y a donc pas d’appel à transférer. L’agent dit : « ${line} »`,
    refused: {
      busy: 'Deux appels de test sont déjà en cours. Attendez la fin de l’un d’eux, ou mettez-y fin.',
      unavailable:
        'L’appelant automatique n’a pas pu être lancé. Réessayez dans un instant. Si l’échec persiste, consultez le journal du service.',
    },
  },
  limits: {
    noKeypad:
      'Il n’accepte pas les cartes au clavier : la ligne envoie par SMS le lien de paiement, que vous ouvrez pour payer vous-même.',
    noHolds: 'Il ne peut pas bloquer un montant.',
    noSaving: 'La ligne ne peut pas y enregistrer une carte sans paiement.',
    noDebits: 'Il ne fait pas de prélèvements bancaires.',
    noLostAnswer: 'Seule la sandbox perd une réponse volontairement.',
    noPostalCode: 'La ligne de ce commerçant ne demande pas le code postal, qui y détermine le résultat.',
  },
  none: {
    live: {
      title: 'Les appels de test n’existent qu’en mode test',
      text: 'Les appels de test utilisent des cartes de test, que le mode réel refuse.',
      action: 'Essayer en mode test',
    },
    noMerchant: {
      title: 'Un appel de test nécessite un commerçant',
      text: 'Créez un commerçant en mode test et connectez-le à la sandbox.',
      action: 'Paramètres',
    },
    unavailable: {
      title: 'Les appels de test ne sont pas disponibles',
      text: (setting) => (
        <>
          Ce service utilise son propre serveur SIP, que l’appelant automatique risque de ne pas pouvoir joindre. S’il
          le peut, définissez {setting}. Vous pouvez aussi appeler le transfer_to d’une session de paiement avec votre
          téléphone.
        </>
      ),
    },
  },
  call: {
    titleOf: (script) => `Appel de test : ${script}`,
    again: {
      title: 'Ce formulaire a déjà été envoyé',
      text: 'Voici l’appel qu’il a passé. Pour en passer un autre, choisissez « Nouvel appel ».',
    },
    to: (merchant) => <>Appel de test à {merchant}</>,
    connecting: 'Connexion',
    newCall: 'Nouvel appel',
    transcript: 'Transcription',
    forIntegrator: 'Pour l’intégration',
    platform: 'Votre plateforme vocale',
    anyPlatform: 'Toutes, par SIP',
    showCode: 'Afficher son code',
    platformHint: 'Ce qu’il faut coller, et comment revient le résultat',
    copy: (title) => `Copier : ${title}`,
    onTheLine: 'En ligne',
    dials: 'L’appelant compose le numéro',
    stages: {
      greeting: 'La ligne accueille l’appelant',
      card_number: 'La ligne demande le numéro de carte',
      expiry: 'La ligne demande la date d’expiration',
      security_code: 'La ligne demande le code de sécurité',
      bank_account: 'La ligne demande un compte bancaire',
      postal_code: 'La ligne demande le code postal',
      keep_card: 'La ligne demande s’il faut enregistrer la carte',
      confirmation: 'La ligne relit la carte et demande d’appuyer sur 1',
      paying: 'La carte est en cours de débit',
      by_link: 'La ligne a envoyé le lien et attend',
      waiting: 'La ligne attend le paiement',
      leaving: 'La ligne annonce le résultat',
      returning: 'L’appelant retourne à l’agent',
      ended: 'L’appel est terminé',
    },
    hangUp: 'Raccrocher',
    failed:
      'Le processus de l’appelant automatique s’est arrêté avant son appel. Le service fonctionne toujours, et son journal contient le code de sortie.',
    heard: 'Ce que l’appelant a entendu',
    links: { call: 'L’appel, étape par étape', charge: 'Le débit', checkout: 'La session de paiement' },
    events: 'Événements de webhook',
    bodyOf: (type) => `Contenu de ${type}`,
    event: 'L’événement',
    headers: 'En-têtes pour l’agent',
    badges: {
      interrupted: 'Interrompu',
      saved: 'Carte enregistrée',
      paid: 'Payé',
      held: 'Montant bloqué',
      pending: 'En attente',
      declined: 'Refusé',
      notSaved: 'Non enregistrée',
      unpaid: 'Non payé',
      agent: 'De retour auprès de l’agent',
    },
  },
  steps: {
    label: 'Étapes de l’appel',
    who: {
      said: 'Ligne',
      keyed: 'Appelant',
      agent: 'Agent',
      page: 'Page de paiement',
      sip: 'SIP',
      silence: '',
      note: '',
    },
    transfers: (message, address) => (
      <>
        Dit « {message} » et transfère l’appel à {address}
      </>
    ),
    quoted: (text) => <>« {text} »</>,
    cutShort: '(interrompue)',
    silence: (seconds) => `${seconds} s de silence`,
    presses: (keys) => `appuie sur ${keys}`,
    entersCard: (lastFour) => `saisit un numéro de carte se terminant par ${lastFour}`,
    entersDigits: (count, keys) =>
      plural(count, { one: `saisit # chiffre ${keys}`, other: `saisit # chiffres ${keys}` }).trim(),
  },
  snippets: {
    create: {
      title: '1. Créer une session de paiement',
      about: 'L’outil de votre agent le fait quand la commande est prête à être payée.',
    },
    transfer: {
      title: '2. Dire le message et transférer l’appel',
      about:
        'Dites agent_message mot pour mot. Transférez ensuite à transfer_to par SIP REFER, ou appelez-le et reliez les appels.',
    },
    platformTransfer: (platform) => ({
      title: `2. Transférer l’appel avec ${platform}`,
      about: `Dites agent_message mot pour mot. Transférez ensuite à transfer_to. La page sur ${platform} dans la documentation contient l’outil et le reste.`,
    }),
    back: {
      title: '3. Reprendre l’appelant',
      about: 'L’appel revient à return_to avec le résultat dans ses en-têtes. Le webhook contient le résultat final.',
    },
  },
};
