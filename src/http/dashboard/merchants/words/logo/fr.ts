/** French words of a merchant's logo. */
import type { LogoWords } from './en.ts';

export const fr: LogoWords = {
  title: 'Logo',
  none: 'Aucun logo. Les pages de paiement affichent la première lettre du nom de l’entreprise.',
  withoutAddress: 'Envoyé. Il s’affichera une fois RINGKEY_PUBLIC_URL définie.',
  add: 'Ajouter un logo',
  change: 'Changer le logo',
  current: 'Logo actuel',
  remove: 'Supprimer le logo',
  upload: 'Envoyer un logo',
  replace: 'Remplacer',
  file: 'Fichier',
  hint: 'PNG ou SVG, 50 Ko maximum. Les pages de paiement l’affichent sur fond blanc, à 40 pixels de haut. Un logo blanc doit avoir son propre fond.',
  send: 'Envoyer le logo',
  back: 'Retour au commerçant',
  notices: {
    set: 'Logo enregistré. Les pages de paiement l’affichent désormais',
    saved: 'Logo enregistré. Les pages de paiement l’afficheront une fois RINGKEY_PUBLIC_URL définie',
    removed: 'Logo supprimé',
  },
};
