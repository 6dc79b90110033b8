/** Spanish words of the payouts' pages. */
import { plural } from '../../words/formats.ts';
import type { PayoutWords } from './en.ts';

export const es: PayoutWords = {
  title: 'Liquidaciones',
  lead: 'Lo que los procesadores abonan en las cuentas bancarias de sus comercios.',
  label: 'Liquidaciones, las más recientes primero',
  kind: 'Liquidación',
  titleOf: (id) => `Liquidación ${id}`,
  totals: 'Totales de estas liquidaciones',
  counted: (payouts, currency) =>
    plural(payouts, { one: `# liquidación en ${currency}`, other: `# liquidaciones en ${currency}` }),
  sums: { pending: 'Pendiente', paid: 'Pagado' },
  heads: {
    payout: 'Liquidación',
    amount: 'Importe',
    status: 'Estado',
    arrival: 'Fecha de abono',
    arrivalShort: 'Abono',
    processor: 'Procesador',
    created: 'Creación',
  },
  empty: {
    title: 'Aún no hay liquidaciones',
    text: 'Una liquidación aparece aquí cuando un procesador la notifica a Ringkey. Configure las notificaciones de cada comercio, con los eventos de liquidación.',
    action: 'Las liquidaciones en la documentación',
  },
  contents: 'Contenido',
  noContents: 'El procesador no indica qué contiene.',
  allEntries: 'Todos los movimientos y CSV',
  asList: 'Movimientos en una lista y CSV',
  facts: {
    merchant: 'Comercio',
    arrival: 'Fecha de abono',
    processor: 'Procesador',
    reference: 'Referencia del procesador',
    created: 'Creación',
    updated: 'Modificación',
  },
  entries: {
    title: 'Movimientos de liquidación',
    lead: 'Cada cobro, reembolso, disputa y comisión de una liquidación. Para conciliar un día, filtre por fecha de abono y exporte el CSV.',
    label: 'Movimientos de liquidación, los más recientes primero',
    totals: 'Totales de estos movimientos',
    counted: (entries, currency) =>
      plural(entries, { one: `# movimiento en ${currency}`, other: `# movimientos en ${currency}` }),
    sums: { gross: 'Bruto', fees: 'Comisiones', net: 'Neto' },
    heads: { kind: 'Tipo', charge: 'Cobro', order: 'Pedido', gross: 'Bruto', fee: 'Comisión', net: 'Neto' },
    empty: {
      title: 'Aún no hay movimientos de liquidación',
      text: 'Aparecen aquí con las liquidaciones de los procesadores.',
    },
  },
};
