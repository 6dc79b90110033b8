/** French words of the live tail. */
import type { TailWords } from './en.ts';

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

export const fr: TailWords = {
  title: 'Journal en direct',
  lead: 'Étapes des appels et événements au moment où ils se produisent, les 200 plus récents. Rien de ce que saisissent les appelants n’est affiché.',
  connecting: 'Connexion',
  pause: 'Mettre en pause',
  newestFirst: 'Du plus récent au plus ancien',
  empty: 'Rien ne s’est encore produit. Les nouvelles entrées apparaîtront ici.',
  merchant: 'Commerçant',
  all: 'Tous',
  filter: 'Filtrer',
  steps: {
    greeting: 'Écoute l’accueil',
    language: 'A changé de langue',
    saved_card: 'Choisit ou non une carte enregistrée',
    card_number: 'Saisit le numéro de carte',
    expiry: 'Saisit la date d’expiration',
    security_code: 'Saisit le code de sécurité',
    postal_code: 'Saisit le code postal',
    method: 'Choisit carte ou compte bancaire',
    bank_account: 'Saisit un compte bancaire',
    confirm: 'Doit confirmer',
    charging: 'Débit en cours',
    link: 'Peut payer par lien',
    returning: 'Retourne à l’agent',
  },
  again: (step, attempt) => `${step}, tentative ${attempt}`,
  nextStep: 'Étape suivante',
  answered: 'Appel pris',
  returned: 'De retour auprès de l’agent',
  ended: (outcome) => `Appel terminé : ${lowerFirst(outcome)}`,
  gap: 'Trop d’entrées à la fois : certaines sont omises',
};
