/** French words of alerts. */
import type { AlertWords } from './en.tsx';

const MODES = { test: 'mode test', live: 'mode réel' };

export const fr: AlertWords = {
  title: 'Alertes',
  lead: 'Messages à votre équipe sur les points à traiter. Chaque utilisateur peut aussi activer ses propres alertes dans « Vos alertes ».',
  label: 'Destinataires des alertes, du plus récent au plus ancien',
  add: 'Ajouter une alerte',
  heads: { to: 'À', channel: 'Canal', last: 'Dernier message', added: 'Ajout' },
  channels: { email: 'E-mail', slack: 'Slack' },
  empty: {
    title: 'Aucune alerte pour l’instant',
    text: 'Ajoutez une adresse e-mail ou un canal Slack. Un message y est envoyé pour chaque problème et, si vous le souhaitez, un résumé quotidien et un rapport mensuel.',
  },
  address: 'Adresse',
  settings: 'Paramètres',
  save: 'Enregistrer',
  fields: {
    email: 'Adresse e-mail',
    emailHint: 'Ou l’URL d’un canal Slack ci-dessous.',
    slack: 'URL de webhook Slack',
    slackHint:
      'Dans Slack, ajoutez une application avec des webhooks entrants et copiez l’URL du canal. Elle est conservée chiffrée et ne sera plus affichée.',
    name: 'Nom',
    nameHint: 'Par exemple #paiements.',
    topics: 'Problèmes',
    urgent: 'Problèmes urgents seulement',
    urgentHint:
      'Les appelants ne peuvent pas payer, ou un paiement a été confirmé tardivement, effectué en double ou perdu.',
    zoneHint: 'Par exemple Europe/Paris.',
    quietFrom: 'Début des heures calmes',
    quietHint: 'Pendant les heures calmes, seuls les problèmes urgents sont signalés.',
    quietUntil: 'Fin des heures calmes',
    noQuiet: 'Pas d’heures calmes',
    summary: 'Résumé quotidien à',
    noSummary: 'Pas de résumé',
    ifEmpty: 'Envoyer aussi le résumé des jours sans activité',
    reports: 'Rapport mensuel',
    reportsHint: 'Envoyé le premier jour de chaque mois, à l’heure du résumé ou à 08:00.',
  },
  topics: {
    payments: 'Paiements : à régulariser, confirmés tardivement ou en double, échoués après coup, en litige',
    processors: 'Prestataires : refus, lenteur, faible taux de réussite',
    deliveries: 'Envois : webhooks, SMS, e-mails et alertes',
    keys: 'Clés API et certificats : expirés ou bientôt expirés',
    service: 'Service : limites à 80 %, workers, processus téléphoniques, serveurs média ou SIP absents',
  },
  notices: {
    added: 'Alerte ajoutée. Vérifiez-la avec un message de test',
    changed: 'Enregistré',
    tested: 'Message de test envoyé. Son résultat s’affichera ci-dessous dans un instant',
    removed: 'Alertes désactivées',
  },
  remove: {
    title: 'Supprimer',
    about: 'Plus aucun message n’est envoyé, et l’adresse est supprimée.',
    submit: 'Supprimer l’alerte',
  },
  lastMessage: {
    none: 'Aucun pour l’instant',
    of: (message, at) => (
      <>
        {message}, {at}
      </>
    ),
    code: (code) => `code d’erreur ${code}`,
    again: ', sera renvoyé',
  },
  statuses: { waiting: 'En attente', sent: 'Envoyé', failed: 'Échoué' },
  messages: { alert: 'Alerte', summary: 'Résumé', report: 'Rapport', test: 'Message de test' },
  failures: {
    timeout: 'pas de réponse à temps',
    connection: 'pas de connexion',
    forbidden_address: 'adresse non publique',
    not_configured: 'aucun serveur de messagerie configuré',
  },
  test: {
    title: 'Test',
    about: 'Le message arrive en quelques secondes, ou cette page indique pourquoi il n’arrive pas.',
    send: 'Envoyer un message de test',
  },
  own: {
    title: 'Vos alertes',
    lead: (email, mode) => (
      <>
        E-mails envoyés à {email} sur les points à traiter en {MODES[mode]}.
      </>
    ),
    turnOn: 'Activer les alertes',
    off: 'Désactiver',
    offAbout: (mode) => `Vous ne recevrez plus d’alertes en ${MODES[mode]}.`,
    turnOff: 'Désactiver les alertes',
  },
};
