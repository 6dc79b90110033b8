/** French words of the page of attention items. */
import { FEWEST_USUAL } from '../../../../domain/success-rate.ts';
import type { AttentionPageWords } from './en.tsx';

export const fr: AttentionPageWords = {
  title: 'À traiter',
  lead: 'Chaque point se ferme de lui-même quand sa cause a disparu.',
  alerts: 'Alertes',
  status: 'Statut',
  tabs: { open: 'Ouverts', set_aside: 'Mis de côté', closed: 'Fermés' },
  lists: {
    open: 'Ouverts, du plus récent au plus ancien',
    set_aside: 'Mis de côté, du plus récent au plus ancien',
    closed: 'Fermés, du plus récent au plus ancien',
  },
  empty: {
    open: {
      title: 'Rien à traiter',
      text: `Les paiements sans résultat, les paiements confirmés tardivement, les webhooks en échec ou les SMS non remis, par exemple, apparaissent ici. Les débits échoués d’un commerçant sont comparés à son taux habituel à partir de ${FEWEST_USUAL} débits en sept jours ou en quatre semaines.`,
    },
    set_aside: {
      title: 'Rien n’est mis de côté',
      text: 'Les points traités ou mis en veille apparaissent ici jusqu’à ce que leur cause disparaisse.',
    },
    closed: {
      title: 'Aucun point fermé pour l’instant',
      text: 'Les points fermés sont conservés 90 jours.',
    },
  },
  onlyNewest: (count) => `Seuls les ${count} points les plus récents sont affichés.`,
  notices: {
    done: 'Marqué comme traité. Le point réapparaît s’il y a une cause plus récente.',
    quiet: 'Mis en veille.',
    reopened: 'Affiché de nouveau.',
  },
  details: 'Détails',
  view: 'Afficher',
  since: (opened) => <>Depuis le {opened}</>,
  closed: (opened, closed) => (
    <>
      Depuis le {opened}, fermé le {closed}
    </>
  ),
  snoozed: (opened, until) => (
    <>
      Depuis le {opened}, en veille jusqu’au {until}
    </>
  ),
  done: (opened, done) => (
    <>
      Depuis le {opened}, traité le {done}
    </>
  ),
  showAgain: 'Afficher de nouveau',
  finish: 'Traité',
  snooze: 'Mettre en veille',
  snoozeFor: 'Mettre en veille pendant',
  times: { '1h': '1 heure', '1d': '1 jour', '1w': '1 semaine' },
  showAll: 'Tout afficher',
  showWhatToDo: 'Voir ce qu’il faut faire',
};
