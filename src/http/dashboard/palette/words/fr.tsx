/** French words of the command palette and the list of shortcuts. */
import type { PaletteWords } from './en.ts';

export const fr: PaletteWords = {
  palette: 'Palette de commandes',
  label: 'Aller à une page, rechercher ou exécuter une commande',
  hint: 'Page, recherche ou commande',
  results: 'Résultats',
  shortcuts: 'Raccourcis clavier',
  keys: {
    palette: 'Palette de commandes (⌘ K sur un Mac)',
    search: 'Rechercher',
    next: 'Ligne suivante d’une liste',
    previous: 'Ligne précédente d’une liste',
    help: 'Cette liste',
  },
  singleKeys: 'Utiliser les raccourcis à une touche dans ce navigateur',
  close: 'Fermer',
  groups: {
    commands: 'Commandes',
    pages: 'Aller à',
    open: 'Ouvrir',
    merchants: 'Commerçants',
    callers: 'Appelants',
    charges: 'Débits',
    refund: 'Rembourser',
    calls: 'Appels',
    checkouts: 'Sessions de paiement',
  },
  commands: {
    testCall: 'Passer un appel de test',
    merchant: 'Ajouter un commerçant',
    key: 'Créer une clé API',
    endpoint: 'Ajouter un endpoint de webhook',
    alert: 'Ajouter une alerte',
    user: 'Inviter un utilisateur',
  },
  keywords: { signOut: 'Déconnexion quitter', theme: 'Apparence couleurs mode' },
  theme: (name: string) => `Thème\u00a0: ${name}`,
  pages: {
    wall: 'Affichage mural',
    tail: 'Journal en direct',
  },
  refund: (amount, card) => `Rembourser ${amount}, ${card}`,
  withheld: 'Numéro masqué',
};
