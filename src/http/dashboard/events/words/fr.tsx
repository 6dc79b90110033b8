/** French words of the events' pages. */
import { plural } from '../../words/formats.ts';
import type { EventWords } from './en.tsx';

export const fr: EventWords = {
  title: 'Événements',
  lead: 'Les événements sont envoyés à vos endpoints de webhook.',
  label: 'Événements, du plus récent au plus ancien',
  kind: 'Événement',
  titleOf: (type) => `Événement ${type}`,
  totals: 'Totaux de ces événements',
  counted: (events) => plural(events, { one: '# événement', other: '# événements' }),
  filters: { type: 'Type', delivery: 'Envoi', endpoint: 'Endpoint de webhook', checkout: 'Session de paiement' },
  heads: { type: 'Type', object: 'Objet', sequence: 'Séquence', created: 'Création' },
  empty: {
    title: 'Aucun événement pour l’instant',
    text: 'Chaque paiement, échec, expiration et remboursement crée un événement, envoyé à vos endpoints de webhook.',
    action: 'Événements et webhooks',
  },
  resend: 'Renvoyer',
  resent: {
    title: 'L’événement est en cours de renvoi',
    text: 'Il est envoyé à tous les endpoints maintenant abonnés à son type, avec le même ID et le même contenu.',
    textToOne: 'Il est envoyé uniquement à cet endpoint, avec le même ID et le même contenu.',
  },
  data: 'Données de l’événement',
  dataLabel: 'L’événement',
  broken: {
    title: 'Cet événement ne peut être ni affiché ni envoyé',
    text: 'Une erreur interne l’empêche. L’événement sera envoyé dès que l’erreur sera corrigée.',
  },
  facts: {
    created: 'Création',
    sequence: 'Séquence',
    outcome: 'Résultat',
    checkout: 'Session de paiement',
    refund: 'Remboursement',
  },
  deliveries: {
    title: 'Envois',
    resendTo: (endpoint) => `Renvoyer à ${endpoint}`,
    none: 'Aucun envoi : aucun endpoint n’est abonné à cet événement.',
    label: 'Envois de cet événement',
    heads: {
      endpoint: 'Endpoint de webhook',
      status: 'Statut',
      response: 'Réponse',
      attempts: 'Tentatives',
      lastAttempt: 'Dernière tentative',
    },
    failing: (time) => <>L’endpoint est en échec ; prochaine tentative : {time}</>,
    notYet: 'Pas encore',
  },
  attempts: {
    title: 'Tentatives',
    label: 'Tentatives d’envoi de cet événement, de la plus récente à la plus ancienne',
    none: 'Aucune tentative au cours des 30 derniers jours.',
    kind: (attempt) => `Tentative ${attempt}`,
    what: (host, status, reasons, ms) => (
      <>
        vers {host} : {status}
        {reasons} après {ms}
      </>
    ),
    statusCode: (code) => `code ${code}`,
    details: 'Réponse et signature',
    noResponse: 'Aucune réponse.',
    withoutBody: 'La réponse n’avait pas de contenu.',
    body: 'Contenu de la réponse, jusqu’à 1 024 octets :',
    headers: 'En-têtes signés :',
  },
};
