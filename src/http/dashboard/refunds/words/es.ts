/** Spanish words of the refunds' pages. */
import { plural } from '../../words/formats.ts';
import type { RefundWords } from './en.ts';

export const es: RefundWords = {
  title: 'Reembolsos',
  label: 'Reembolsos, los más recientes primero',
  kind: 'Reembolso',
  titleOf: (id) => `Reembolso ${id}`,
  chargeFilter: 'Cobro',
  totals: 'Totales de estos reembolsos',
  counted: (refunds, succeeded, currency) =>
    plural(refunds, {
      one: `# reembolso en ${currency}, ${plural(succeeded, { one: '# completado', other: '# completados' })}`,
      other: `# reembolsos en ${currency}, ${plural(succeeded, { one: '# completado', other: '# completados' })}`,
    }),
  pending: 'Pendiente',
  refunded: 'Reembolsado',
  heads: {
    refund: 'Reembolso',
    amount: 'Importe',
    status: 'Estado',
    merchant: 'Comercio',
    caller: 'Llamante',
    source: 'Origen',
    reason: 'Motivo',
    created: 'Creación',
  },
  atProcessor: 'Procesador',
  empty: {
    title: 'Aún no hay reembolsos',
    text: 'Un reembolso devuelve un cobro, entero o en parte, a la tarjeta con la que se pagó. Reembolse un cobro en su página o con la API.',
    action: 'Reembolsos en la API',
  },
  activity: 'Actividad',
  metadata: 'Metadatos',
  outcomes: {
    succeeded: 'Reembolsado por el procesador',
    pending: 'Reembolso pendiente',
    pendingMore:
      'El procesador no ha confirmado el resultado. No cree otro reembolso: esta página y el webhook comunicarán el resultado.',
    failed: 'El reembolso ha fallado',
    failedMore: 'No se ha reembolsado nada.',
  },
  facts: {
    charge: 'Cobro',
    refunded: 'Reembolsado',
    refundPending: 'Reembolso pendiente',
    refundedOf: (refunded, all) => `${refunded} de ${all}`,
    card: 'Tarjeta',
    caller: 'Llamante',
    checkout: 'Sesión de pago',
    merchant: 'Comercio',
    source: 'Origen',
    processorsDashboard: 'Panel del procesador',
    reason: 'Motivo',
    reference: 'Referencia del procesador',
    created: 'Creación',
  },
};
