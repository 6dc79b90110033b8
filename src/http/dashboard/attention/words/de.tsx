/** German words of the page of attention items. */
import { FEWEST_USUAL } from '../../../../domain/success-rate.ts';
import type { AttentionPageWords } from './en.tsx';

export const de: AttentionPageWords = {
  title: 'Zu erledigen',
  lead: 'Jeder Punkt schließt sich von selbst, wenn seine Ursache behoben ist.',
  alerts: 'Benachrichtigungen',
  status: 'Status',
  tabs: { open: 'Offen', set_aside: 'Ausgeblendet', closed: 'Geschlossen' },
  lists: {
    open: 'Offen, neueste zuerst',
    set_aside: 'Ausgeblendet, neueste zuerst',
    closed: 'Geschlossen, neueste zuerst',
  },
  empty: {
    open: {
      title: 'Nichts zu erledigen',
      text: `Hier erscheinen zum Beispiel Zahlungen ohne Ergebnis, verspätet bestätigte Zahlungen, Webhooks mit Fehlern und SMS, die nicht zugestellt wurden. Ob bei einem Händler ungewöhnlich viele Abbuchungen fehlschlagen, wird ab ${FEWEST_USUAL} Abbuchungen in sieben Tagen oder in vier Wochen geprüft.`,
    },
    set_aside: {
      title: 'Nichts ausgeblendet',
      text: 'Erledigte und zurückgestellte Punkte stehen hier, bis ihre Ursache behoben ist.',
    },
    closed: {
      title: 'Noch keine geschlossenen Punkte',
      text: 'Geschlossene Punkte werden 90 Tage lang aufbewahrt.',
    },
  },
  onlyNewest: (count) => `Nur die neuesten ${count} werden angezeigt.`,
  notices: {
    done: 'Als erledigt markiert. Der Punkt erscheint wieder, wenn es eine neuere Ursache gibt.',
    quiet: 'Zurückgestellt.',
    reopened: 'Wird wieder angezeigt.',
  },
  details: 'Details',
  view: 'Ansehen',
  since: (opened) => <>Seit {opened}</>,
  closed: (opened, closed) => (
    <>
      Seit {opened}, geschlossen am {closed}
    </>
  ),
  snoozed: (opened, until) => (
    <>
      Seit {opened}, zurückgestellt bis {until}
    </>
  ),
  done: (opened, done) => (
    <>
      Seit {opened}, erledigt am {done}
    </>
  ),
  showAgain: 'Wieder anzeigen',
  finish: 'Erledigt',
  snooze: 'Zurückstellen',
  snoozeFor: 'Zurückstellen für',
  times: { '1h': '1 Stunde', '1d': '1 Tag', '1w': '1 Woche' },
  showAll: 'Alle anzeigen',
  showWhatToDo: 'Was zu tun ist',
};
