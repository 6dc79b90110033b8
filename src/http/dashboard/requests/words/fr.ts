/** French words of the requests' pages. */
import type { RequestWords } from './en.ts';

export const fr: RequestWords = {
  title: 'Requêtes',
  lead: 'Requêtes API faites avec vos clés. Conservées 30 jours, sans secrets.',
  label: 'Requêtes, de la plus récente à la plus ancienne',
  kind: 'Requête',
  filters: { status: 'Code', error: 'Erreur', operation: 'Opération', key: 'Clé' },
  heads: {
    request: 'Requête',
    status: 'Code',
    error: 'Erreur',
    key: 'Clé',
    duration: 'Durée',
    created: 'Création',
  },
  noKey: 'Sans clé',
  empty: {
    title: 'Aucune requête pour l’instant',
    text: 'Chaque requête faite avec l’une de vos clés apparaît ici pendant 30 jours, avec sa réponse.',
    action: 'Référence de l’API',
  },
  requestBody: 'Contenu de la requête',
  responseBody: 'Contenu de la réponse',
  withoutBody: 'Aucun contenu.',
  facts: {
    error: 'Erreur',
    field: 'Champ',
    duration: 'Durée',
    key: 'Clé',
    keyName: 'Nom de la clé',
    source: 'Origine',
    created: 'Création',
  },
};
