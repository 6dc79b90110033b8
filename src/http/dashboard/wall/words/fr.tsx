/** French words of the wall board. */
import type { WallWords } from './en.tsx';

export const fr: WallWords = {
  title: 'Affichage mural',
  modes: { test: 'Mode test', live: 'Mode réel' },
  connecting: 'Connexion',
  timesIn: (zone) => <>Fuseau horaire : {zone}</>,
  fullScreen: 'Plein écran',
  close: 'Fermer',
  liveCalls: 'Appels en cours',
  inProgress: 'Montants en cours',
  rate: 'Taux de réussite, dernière heure',
  attention: 'Points à traiter',
  newest: 'Appels en cours les plus récents',
  more: (count) => `et ${count} de plus.`,
  changed: (at) => <>Modifié : {at}</>,
  notKnown: 'Inconnu',
  noCharges: 'Aucun débit',
  ofCharges: (succeeded, all) => `Débits réussis : ${succeeded} sur ${all}`,
};
