/** French words of the go-live checklist. */
import type { GoLiveWords } from './en.ts';

export const fr: GoLiveWords = {
  title: 'Mise en service',
  inLiveMode: {
    title: 'La liste de contrôle est en mode réel',
    text: 'Elle vérifie les commerçants, les clés, les endpoints et les alertes du mode réel de ce compte.',
    action: 'Ouvrir la liste de contrôle',
  },
  lead: 'Ce que les paiements réels exigent, vérifié à l’instant sur ce service, ce compte et ses prestataires.',
  progress: (done, all) => `${done} sur ${all}`,
  progressLabel: (done, all) => `Contrôles réussis : ${done} sur ${all}`,
  allDone: 'Tout est en place',
  newestOnly: (most) =>
    `Seuls les ${most} commerçants les plus récents sont vérifiés. La page de chaque commerçant indique son état.`,
  of: (merchant, message) => `${merchant} : ${message}`,
  merchantsPage: 'Commerçants',
  endpointsPage: 'Endpoints de webhook',
  https: {
    title: 'Le service est accessible en HTTPS',
    todo: 'Placez un proxy avec certificat devant le service, et donnez à RINGKEY_PUBLIC_URL son adresse https.',
    docs: 'Exploiter Ringkey',
  },
  standby: {
    title: 'PostgreSQL valide ses transactions sur un serveur de secours synchrone',
    todo: 'Définissez synchronous_standby_names, pour qu’une bascule ne perde aucun paiement. Si votre PostgreSQL géré réplique de lui-même de façon synchrone, c’est fait : SQL ne permet pas de le voir.',
    docs: 'Exploiter Ringkey',
  },
  keys: {
    title: 'L’agent vocal a sa propre clé du mode réel, avec la portée « agent »',
    todo: 'Créez une clé du mode réel avec la portée « agent ». Elle accepte les paiements, mais ne peut ni rembourser ni modifier les paramètres.',
    page: 'Clés API',
    docs: 'Clés du mode réel',
  },
  merchants: {
    title: 'Chaque commerçant du mode réel peut accepter des paiements',
    todo: 'Ajoutez un commerçant en mode réel et connectez son prestataire.',
    docs: 'Ce qui manque',
  },
  keypad: {
    title: 'Les prestataires acceptent les paiements par téléphone (MOTO) et les cartes saisies au clavier',
    todo: 'Connectez le prestataire d’un commerçant du mode réel. Ringkey le vérifie ensuite.',
    docs: 'Connecter son prestataire',
  },
  notifications: {
    title: 'Les prestataires envoient des notifications à Ringkey',
    addMerchant: 'Ajoutez d’abord un commerçant en mode réel.',
    todo: (merchant) =>
      `${merchant} : saisissez l’adresse des notifications chez le prestataire, et leur secret ici. Les paiements en attente sont alors régularisés aussitôt.`,
    page: 'Notifications du prestataire',
    docs: 'Les notifications dans la documentation',
  },
  returns: {
    title: 'Les appels peuvent revenir à votre agent, et seulement à lui',
    anyHost:
      'La liste d’hôtes autorise tous les hôtes publics (*). Indiquez plutôt les hôtes de votre plateforme vocale.',
    todo: 'Indiquez les hôtes SIP ou les préfixes de votre plateforme vocale. Sans eux, les appels ne peuvent pas revenir en mode réel.',
    page: 'Compte',
    docs: 'Connecter la ligne de paiement',
  },
  webhook: {
    title: 'Un endpoint de webhook a accusé réception d’un événement du mode réel',
    add: 'Ajoutez un endpoint de webhook en mode réel et envoyez-lui un événement de test.',
    send: 'Envoyez à l’endpoint un événement de test depuis sa page. Il doit vérifier la signature et répondre 2xx.',
    docs: 'Vérifier les signatures',
  },
  alerts: {
    title: 'Les alertes parviennent à votre équipe',
    todo: 'Ajoutez une adresse e-mail ou un canal Slack pour les alertes du mode réel.',
    page: 'Alertes',
    docs: 'Les alertes dans la documentation',
  },
  testData: {
    title: 'Le mode réel ne contient aucune donnée de test',
    number: (merchant) => `${merchant} a un numéro de téléphone d’exemple. Remplacez-le.`,
    host: (host) => `Un endpoint de webhook se trouve sur ${host}, un hôte d’exemple. Supprimez-le.`,
    docs: 'La mise en service dans la documentation',
  },
};
