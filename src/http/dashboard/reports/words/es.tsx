/** Spanish words of the month-end report. */
import { plural } from '../../words/formats.ts';
import type { ReportWords } from './en.tsx';

export const es: ReportWords = {
  title: 'Informe mensual',
  titleOf: (merchant, month) => `Informe mensual, ${merchant}, ${month}`,
  lead: {
    live: (merchant, month, zone) => (
      <>
        {merchant}, {month}, días en {zone}
      </>
    ),
    test: (merchant, month, zone) => (
      <>
        {merchant}, {month}, días en {zone}, modo de prueba
      </>
    ),
  },
  print: 'Imprimir',
  filters: 'Comercio y mes',
  merchant: 'Comercio',
  month: 'Mes',
  show: 'Mostrar',
  empty: {
    title: (month) => `Sin actividad en ${month}`,
    text: 'Este comercio no tuvo pagos, reembolsos, disputas ni liquidaciones en este mes.',
  },
  notes:
    'Los pagos y los reembolsos cuentan en el día en que se hicieron. El neto es el bruto menos los reembolsos. Las disputas y las comisiones no se restan. Las liquidaciones cuentan en el día en que se abonan, y solo las de los procesadores que las comunican.',
  noMerchants: {
    title: 'Aún no hay comercios',
    text: 'Cada comercio tiene un informe de cada mes. Añada primero un comercio.',
    action: 'Añadir comercio',
  },
  totalsIn: (currency) => `Totales en ${currency}`,
  figures: { net: 'Neto', gross: 'Bruto', refunded: 'Reembolsado', disputed: 'Disputado', paidOut: 'Liquidado' },
  grossLessRefunds: 'Bruto menos reembolsos',
  payments: (count) => plural(count, { one: '# pago', other: '# pagos' }),
  refunds: (count) => plural(count, { one: '# reembolso', other: '# reembolsos' }),
  disputes: (count) => plural(count, { one: '# disputa', other: '# disputas' }),
  payouts: (count) => plural(count, { one: '# liquidación', other: '# liquidaciones' }),
  lost: (amount) => `Perdido: ${amount}`,
  fees: (amount) => `Comisiones: ${amount}`,
  shared: (count) =>
    plural(count, { one: '# compartida con otros comercios', other: '# compartidas con otros comercios' }),
  bySource: 'Por origen',
  bySourceIn: (currency) => `Pagos en ${currency} por origen`,
  byDay: 'Por día',
  byDayIn: (currency) => `Pagos en ${currency} por día`,
  sources: { phone: 'Llamada', page: 'Página de pago', saved_card: 'Tarjeta guardada' },
  heads: { source: 'Origen', day: 'Día', payments: 'Pagos', gross: 'Bruto', refunded: 'Reembolsado', net: 'Neto' },
};
