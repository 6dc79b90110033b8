/** French words of the search. */
import type { SearchWords } from './en.ts';

export const fr: SearchWords = {
  title: 'Rechercher',
  results: (text) => `Résultats pour « ${text} »`,
  noResults: 'Aucun résultat',
  newestOnly: 'Seuls les plus récents sont affichés.',
  all: {
    merchants: 'Tous les commerçants',
    calls: 'Tous les appels',
    charges: 'Tous les débits',
    checkouts: 'Toutes les sessions de paiement',
  },
  by: (all, filter) => `${all} : ${filter}`,
  start: 'Rechercher dans ce compte',
  help: 'Saisissez n’importe quel ID de ce mode pour ouvrir sa page. Pour trouver des commerçants, saisissez une partie du nom. Pour trouver des appels, des débits et des sessions de paiement, saisissez un numéro de téléphone (entier ou ses 4 à 10 derniers chiffres), une commande, un ID d’appel de la plateforme ou les quatre derniers chiffres d’une carte.',
  back: 'Retour aux listes',
  caller: 'Appelant',
  callers: 'Appelants',
  merchants: 'Commerçants',
  calls: 'Appels',
  charges: 'Débits',
  checkouts: 'Sessions de paiement',
  withheld: 'Numéro masqué',
  heads: {
    caller: 'Appelant',
    outcome: 'Résultat',
    amount: 'Montant',
    merchant: 'Commerçant',
    id: 'ID',
    started: 'Début',
    status: 'Statut',
    card: 'Carte',
    created: 'Création',
    refund: 'Remboursement',
  },
};
