/** French words of the webhook endpoints' pages. */
import { numberText, plural } from '../../words/formats.ts';
import type { EndpointWords } from './en.tsx';

const failed = (count: number) => plural(count, { one: '# échouée', other: '# échouées' });

export const fr: EndpointWords = {
  list: {
    title: 'Endpoints de webhook',
    lead: 'Ringkey envoie chaque résultat à vos endpoints dans une requête signée, quelle que soit l’issue de l’appel.',
    label: 'Endpoints de webhook, du plus récent au plus ancien',
    add: 'Ajouter un endpoint',
    addTitle: 'Ajouter un endpoint de webhook',
    heads: {
      url: 'Adresse',
      types: 'Types d’événement',
      status: 'Statut',
      lastDay: 'Remis, dernières 24 h',
      lastDayShort: 'Dernières 24 h',
      added: 'Ajout',
    },
    lastDay: (share, attempts) => `${share} sur ${numberText(attempts)}`,
    lastAttempt: (answer) => `Dernière tentative : ${answer}`,
    failedDeliveries: 'Livraisons échouées',
    failedOf: (failed, endpoint) => `${failed} vers ${endpoint}`,
    empty: {
      title: 'Aucun endpoint de webhook pour l’instant',
      text: 'Ajoutez l’URL d’un serveur qui doit recevoir les événements de paiement. Les appels fonctionnent sans endpoint, mais le webhook est la source fiable des résultats.',
    },
  },
  enabled: 'Actif',
  failing: 'En échec',
  failingSince: (time) => <>depuis le {time}</>,
  disabled: 'Désactivé',
  url: 'Adresse (URL)',
  urlHint: 'Une URL https sur l’Internet public.',
  types: 'Types d’événement',
  secret: {
    added: 'Endpoint ajouté',
    rolled: 'Nouveau secret de signature',
    copyNow: 'Copiez maintenant le secret de signature',
    copy: 'Copier le secret de signature',
    what: 'Votre serveur s’en sert pour vérifier que les événements viennent de Ringkey (Standard Webhooks).',
  },
  title: 'Endpoint de webhook',
  notices: {
    changed: 'Enregistré',
    resent: 'Les événements échoués sont en cours de renvoi',
    resent_part: '1 000 événements échoués sont en cours de renvoi, les plus anciens. Il y en a d’autres',
    none_failed: 'Aucun envoi n’a échoué pendant cette période',
    tested: 'Événement de test envoyé. Son envoi apparaîtra ci-dessous dans un instant',
    on: 'Endpoint activé',
    off: 'Endpoint désactivé',
  },
  lastFailed: (response) => `La dernière tentative a échoué : ${response}`,
  settings: 'Paramètres',
  save: 'Enregistrer',
  deliveries: {
    title: 'Envois récents',
    none: 'Aucun envoi pour l’instant.',
    label: 'Envois, de l’événement le plus récent au plus ancien',
    heads: {
      event: 'Événement',
      status: 'Statut',
      response: 'Réponse',
      attempts: 'Tentatives',
      lastAttempt: 'Dernière tentative',
    },
    notYet: 'Pas encore',
    sendTest: 'Envoyer un événement de test',
  },
  roll: {
    title: 'Secret de signature',
    text: 'Le nouveau secret n’est affiché qu’une fois. Jusqu’à l’expiration de l’ancien, les événements portent les deux signatures.',
    submit: 'Renouveler le secret',
    expires: 'L’ancien secret expire',
  },
  state: {
    titleOn: 'Désactiver ou supprimer',
    titleOff: 'Activer l’endpoint',
    text: 'Un endpoint désactivé ne reçoit aucun événement. Le supprimer supprime aussi son secret et ses envois.',
    enable: 'Activer',
    disable: 'Désactiver',
    remove: 'Supprimer l’endpoint',
  },
  health: {
    title: 'État de l’endpoint',
    summary: (attempts, failures) =>
      plural(attempts, {
        one: `# tentative au cours des 7 derniers jours, dont ${failed(failures)}`,
        other: `# tentatives au cours des 7 derniers jours, dont ${failed(failures)}`,
      }),
    bars: (summary) => `${summary}. Réussies au-dessus de la ligne, échouées au-dessous, par heure.`,
    byDay: 'Par jour',
    label: 'Tentatives par jour, de la plus récente à la plus ancienne',
    heads: { day: 'Jour (UTC)', attempts: 'Tentatives', failed: 'Échouées' },
    sent: (count) => plural(count, { one: '# envoyée', other: '# envoyées' }),
    failed,
  },
  failedEvents: {
    title: 'Événements échoués',
    text: 'Tous les événements échoués peuvent être renvoyés dès maintenant, sans attendre leurs nouvelles tentatives : du plus ancien au plus récent, avec les mêmes ID et contenus.',
    submit: 'Renvoyer les événements échoués',
    next: 'Renvoyer les suivants',
    label: 'Échoués',
  },
  failedSince: {
    '1': 'Au cours de la dernière heure',
    '24': 'Au cours des dernières 24 heures',
    '168': 'Au cours des 7 derniers jours',
    '720': 'Au cours des 30 derniers jours',
  },
  verify: {
    title: 'Vérifier les signatures',
    text: 'Votre serveur vérifie la signature de chaque événement avec le secret de signature de cet endpoint.',
    link: 'Fonctionnement des signatures',
  },
};
