/** Spanish words of the page of attention items. */
import { FEWEST_USUAL } from '../../../../domain/success-rate.ts';
import type { AttentionPageWords } from './en.tsx';

export const es: AttentionPageWords = {
  title: 'Por resolver',
  lead: 'Cada asunto se cierra solo cuando desaparece su causa.',
  alerts: 'Alertas',
  status: 'Estado',
  tabs: { open: 'Abiertos', set_aside: 'Apartados', closed: 'Cerrados' },
  lists: {
    open: 'Abiertos, los más recientes primero',
    set_aside: 'Apartados, los más recientes primero',
    closed: 'Cerrados, los más recientes primero',
  },
  empty: {
    open: {
      title: 'No hay nada por resolver',
      text: `Aquí aparecen, por ejemplo, los pagos sin resultado, los pagos confirmados con retraso, los webhooks que fallan y los SMS no entregados. Si a un comercio le fallan más cobros de lo habitual, se comprueba a partir de ${FEWEST_USUAL} cobros en siete días o en cuatro semanas.`,
    },
    set_aside: {
      title: 'No hay nada apartado',
      text: 'Los asuntos hechos o pospuestos aparecen aquí hasta que desaparece su causa.',
    },
    closed: { title: 'Aún no hay asuntos cerrados', text: 'Los asuntos cerrados se conservan 90 días.' },
  },
  onlyNewest: (count) => `Solo se muestran los ${count} más recientes.`,
  notices: {
    done: 'Marcado como hecho. Volverá a aparecer si hay una causa más reciente.',
    quiet: 'Pospuesto.',
    reopened: 'Se muestra de nuevo.',
  },
  details: 'Detalles',
  view: 'Ver',
  since: (opened) => <>Desde: {opened}</>,
  closed: (opened, closed) => (
    <>
      Desde: {opened}; cerrado: {closed}
    </>
  ),
  snoozed: (opened, until) => (
    <>
      Desde: {opened}; pospuesto hasta: {until}
    </>
  ),
  done: (opened, done) => (
    <>
      Desde: {opened}; hecho: {done}
    </>
  ),
  showAgain: 'Mostrar de nuevo',
  finish: 'Hecho',
  snooze: 'Posponer',
  snoozeFor: 'Posponer durante',
  times: { '1h': '1 hora', '1d': '1 día', '1w': '1 semana' },
  showAll: 'Mostrar todo',
  showWhatToDo: 'Ver qué hacer',
};
