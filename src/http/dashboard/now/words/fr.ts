/** French words of the page of live calls. */
import { plural } from '../../words/formats.ts';
import type { NowWords } from './en.ts';

export const fr: NowWords = {
  title: 'En ce moment',
  lead: 'Appels en cours et leur étape actuelle. Rien de ce que saisissent les appelants n’est affiché.',
  connecting: 'Connexion',
  liveTail: 'Journal en direct',
  wallBoard: 'Affichage mural',
  label: 'Appels en cours, du plus récent au plus ancien',
  heads: {
    caller: 'Appelant',
    step: 'Étape',
    amount: 'Montant',
    merchant: 'Commerçant',
    order: 'Commande',
    duration: 'Durée',
    history: 'Historique',
    end: 'Fin',
  },
  numberWithheld: 'Numéro masqué',
  onTheLine: 'En ligne',
  choosing: 'Choisit le paiement',
  byBridge: 'Avec l’agent, par un pont',
  steps: {
    greeting: 'Écoute l’accueil',
    card_number: 'Saisit le numéro de carte',
    expiry: 'Saisit la date d’expiration',
    security_code: 'Saisit le code de sécurité',
    bank_account: 'Saisit un compte bancaire',
    postal_code: 'Saisit le code postal',
    keep_card: 'Enregistrer la carte ?',
    confirmation: 'Doit confirmer',
    paying: 'Débit en cours',
    by_link: 'Peut payer par lien',
    waiting: 'Attend un autre paiement',
    leaving: 'Écoute le résultat',
    returning: 'Retourne à l’agent',
    ended: 'Se termine',
  },
  onlyNewest: (count) =>
    plural(count, {
      one: 'Seul l’appel en cours le plus récent est affiché.',
      other: 'Seuls les # appels en cours les plus récents sont affichés.',
    }),
  certificates: {
    title: 'Certificats qui expirent bientôt',
    expires: 'Expire',
    expired: 'Expiré',
    todo: 'Demandez à l’exploitant du service de les renouveler.',
  },
  empty: {
    title: 'Aucun appel en cours',
    text: 'Chaque appel apparaît ici tant qu’il dure, avec chaque étape au moment où elle se produit.',
    tryIt: 'Passer un appel de test',
    past: 'Appels précédents',
  },
};
