/** French words of the API keys' pages. */
import type { KeyWords } from './en.ts';

export const fr: KeyWords = {
  title: 'Clés API',
  lead: 'Gardez les clés sur vos serveurs. Ne les mettez jamais dans un prompt, un navigateur ou une application.',
  label: 'Clés API, de la plus récente à la plus ancienne',
  add: 'Créer une clé',
  heads: { name: 'Nom', prefix: 'Préfixe', scope: 'Portée', status: 'Statut', created: 'Création' },
  scopes: { agent: 'Agent : accepte les paiements', full: 'Complète : tout' },
  scopeChoices: {
    agent: 'Agent : crée des sessions de paiement, débite, envoie des liens par SMS, lit les sessions',
    full: 'Complète : tout, y compris les remboursements et les paramètres',
  },
  empty: {
    title: (mode) =>
      ({ test: 'Aucune clé du mode test pour l’instant', live: 'Aucune clé du mode réel pour l’instant' })[mode],
    text: 'Vos serveurs s’authentifient avec une clé. Donnez à votre agent vocal une clé avec la portée « agent », qui ne peut qu’accepter des paiements.',
  },
  states: { active: 'Active', expiring: 'Expire bientôt', expired: 'Expirée', revoked: 'Révoquée' },
  createLead: (mode) =>
    ({
      test: 'Cette clé ne fonctionne qu’en mode test.',
      live: 'Cette clé ne fonctionne qu’en mode réel.',
    })[mode],
  create: 'Créer la clé',
  fields: {
    name: 'Nom',
    nameHint: 'Indique où la clé est utilisée.',
    scope: 'Portée',
    sources: 'Adresses IP autorisées',
    sourcesHint: 'Une adresse ou un bloc CIDR par ligne. Vide : toutes les adresses.',
  },
  created: 'Clé créée',
  rolled: 'Clé renouvelée',
  copyNow: 'Copiez la clé maintenant',
  copy: 'Copier la clé',
  what: 'Envoyez-la dans l’en-tête Authorization, depuis vos serveurs uniquement.',
  facts: {
    key: 'Clé',
    prefix: 'Préfixe',
    scope: 'Portée',
    sources: 'Adresses IP autorisées',
    any: 'Toutes',
    created: 'Création',
    expires: 'Expiration',
    revoked: 'Révocation',
  },
  roll: {
    title: 'Renouveler la clé',
    about:
      'Remplace cette clé par une nouvelle avec les mêmes droits. La nouvelle clé est affichée une seule fois. Les deux fonctionnent jusqu’à l’expiration de l’ancienne.',
    oldExpires: 'L’ancienne clé expire',
  },
  revoke: {
    title: 'Révoquer la clé',
    about: 'Les requêtes avec cette clé échouent en moins d’une seconde. Cette action est irréversible.',
  },
};
