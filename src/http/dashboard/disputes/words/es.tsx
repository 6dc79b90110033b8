/** Spanish words of the disputes' pages. */
import { plural } from '../../words/formats.ts';
import type { DisputeWords } from './en.tsx';

export const es: DisputeWords = {
  title: 'Disputas',
  label: 'Disputas, las más recientes primero',
  kind: 'Disputa',
  titleOf: (id) => `Disputa ${id}`,
  chargeFilter: 'Cobro',
  totals: 'Totales de estas disputas',
  counted: (disputes, currency) =>
    plural(disputes, { one: `# disputa en ${currency}`, other: `# disputas en ${currency}` }),
  sums: { disputed: 'Disputado', won: 'Ganado', lost: 'Perdido', open: 'Abierto' },
  heads: {
    dispute: 'Disputa',
    amount: 'Importe',
    status: 'Estado',
    reason: 'Motivo',
    evidenceDue: 'Pruebas hasta',
    dueShort: 'Vence',
    created: 'Creación',
  },
  empty: {
    title: 'Aún no hay disputas',
    text: 'Una disputa aparece aquí cuando el banco de un pagador cuestiona un cobro. Configure las notificaciones del procesador en la página de cada comercio.',
    action: 'Las disputas en la documentación',
  },
  activity: 'Actividad',
  facts: {
    charge: 'Cobro',
    checkout: 'Sesión de pago',
    merchant: 'Comercio',
    kind: 'Tipo',
    reason: 'Motivo',
    processorCode: 'Código del procesador',
    evidenceDue: 'Pruebas hasta',
    processor: 'Procesador',
    reference: 'Referencia del procesador',
    created: 'Creación',
    updated: 'Modificación',
  },
  answer: {
    titles: {
      inquiry: 'El banco del pagador consulta sobre este pago',
      chargeback: 'El banco del pagador disputa este pago',
    },
    text: 'Envíe pruebas en el panel del procesador o acepte allí la disputa.',
    until: (at) => <>El procesador acepta pruebas hasta: {at}.</>,
    show: 'Ver la disputa',
  },
  opened: {
    inquiry: (amount) => `El banco consultó sobre ${amount}`,
    chargeback: (amount) => `El banco disputó ${amount}`,
  },
  changed: (status) => `Disputa: ${status.toLowerCase()}`,
};
