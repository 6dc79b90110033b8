/** French words of "Getting started". */
import type { StartWords } from './en.ts';

export const fr: StartWords = {
  title: 'Premiers pas',
  allDone: 'Tout est fait. Ce compte peut accepter des paiements par téléphone.',
  lead: 'D’un nouveau compte à un appel payé. Chaque étape est cochée dès que vous l’avez accomplie ici ou avec l’API.',
  progress: (done, all) => `${done} sur ${all}`,
  progressLabel: (done, all) => `Étapes faites : ${done} sur ${all}`,
  done: 'fait',
  notDone: 'pas encore fait',
  copyCommand: (title) => `Copier la commande : ${title}`,
  merchant: {
    title: 'Créer un commerçant',
    about: 'Un commerçant est l’entreprise qui reçoit l’argent. Chaque session de paiement en désigne un.',
    page: 'Créer un commerçant',
    docs: 'Mise en service',
  },
  processor: {
    title: 'Connecter son prestataire',
    about: {
      test: 'La sandbox accepte les cartes de test. Vous pouvez aussi connecter un compte de test d’un prestataire.',
      live: 'Les paiements arrivent sur le propre compte du commerçant chez son prestataire.',
    },
    merchants: 'Commerçants',
    merchant: 'Voir le commerçant',
    docs: 'Prestataires et identifiants',
  },
  key: {
    title: 'Créer une clé',
    about:
      'Le backend de votre agent s’authentifie avec cette clé. Une clé avec la portée « agent » peut accepter des paiements, mais pas créer de remboursements ni de clés.',
    page: 'Clés API',
    docs: 'À propos des clés',
  },
  checkout: {
    title: 'Créer une session de paiement',
    about:
      'L’outil de votre agent le fait dès que la commande est prête à être payée. La réponse contient le message à dire et l’adresse vers laquelle transférer l’appel.',
    docs: 'Démarrage rapide',
  },
  call: {
    title: 'Accepter un paiement pendant un appel',
    about: {
      test: 'Passez un appel de test depuis le navigateur, ou composez vous-même transfer_to et saisissez 4242 4242 4242 4242.',
      live: 'Votre agent transfère un appelant, qui paie pendant l’appel.',
    },
    page: { test: 'Essayer', live: 'Appels' },
    docs: 'Connecter votre plateforme vocale',
  },
  webhook: {
    title: 'Recevoir un webhook',
    about: 'Enregistrez un endpoint. « checkout.completed » est le résultat final de chaque session de paiement.',
    aboutEndpoint: 'Votre endpoint n’a encore répondu 2xx à aucun événement. Sa page liste les envois échoués.',
    page: 'Endpoints de webhook',
    docs: 'Événements et webhooks',
  },
};
