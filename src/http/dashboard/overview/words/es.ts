/** Spanish words of the overview. */
import { numberText, plural } from '../../words/formats.ts';
import type { OverviewWords } from './en.ts';

const calls = (count: number) => plural(count, { one: '# llamada', other: '# llamadas' });
const pointsOf = (count: number) => plural(count, { one: '# punto', other: '# puntos' });

const daysBefore = (days: number) => (days === 1 ? 'el día anterior' : `los ${days} días anteriores`);
const inDaysBefore = (days: number) => (days === 1 ? daysBefore(days) : `en ${daysBefore(days)}`);
const rangeText = (from: string, to: string) => (from === to ? `el ${from}` : `del ${from} al ${to}`);

export const es: OverviewWords = {
  title: 'Resumen',
  lead: (first, days, before, place) =>
    `Desde el ${first} hasta ahora, en comparación con ${daysBefore(days)}: ${rangeText(...before)}, hasta la misma hora. Días en ${place}.`,
  leadOfDays: (first, last, days, before, place) =>
    `${first === last ? `El ${first}` : `Del ${first} al ${last}`}, en comparación con ${daysBefore(days)}: ${rangeText(...before)}. Días en ${place}.`,
  filters: 'Período y comercio',
  period: 'Período',
  periods: {
    '7': 'Últimos 7 días',
    '30': 'Últimos 30 días',
    '90': 'Últimos 90 días',
    this_month: 'Este mes',
    last_month: 'Mes pasado',
  },
  chosenDays: 'Días elegidos',
  daysIn: 'Días en',
  merchant: 'Comercio',
  all: 'Todos',
  apply: 'Aplicar',
  empty: {
    title: 'Aún no hay datos',
    text: 'Los pagos, la tasa de éxito y los pasos de las llamadas aparecen aquí cuando hay llamadas en este período.',
    action: 'Primeros pasos',
  },
  figures: {
    label: 'Cifras',
    payments: 'Pagos',
    net: (currency) => `Neto, ${currency}`,
    netOf: (gross, refunded) => `Bruto: ${gross}; reembolsado: ${refunded}`,
    rate: 'Tasa de éxito',
    rateOf: (succeeded, completed) =>
      `${numberText(succeeded)} de ${plural(completed, { one: '# cobro terminado', other: '# cobros terminados' })}`,
    time: 'Tiempo hasta el pago',
    timeOf: 'Mediana desde que se atiende la llamada hasta el cobro',
  },
  change: {
    alsoNone: (days) => `Tampoco hubo ninguno ${inDaysBefore(days)}`,
    noneBefore: (days) => `Ninguno ${inDaysBefore(days)}`,
    same: (days) => `Igual que ${inDaysBefore(days)}`,
    more: (percent, days) => `${percent} más que ${inDaysBefore(days)}`,
    less: (percent, days) => `${percent} menos que ${inDaysBefore(days)}`,
    noData: 'No hay datos de este período',
    noDataBefore: (days) => `No hay datos ${days === 1 ? 'del día anterior' : `de ${daysBefore(days)}`}`,
    higher: (points, days) => `${pointsOf(points)} más que ${inDaysBefore(days)}`,
    lower: (points, days) => `${pointsOf(points)} menos que ${inDaysBefore(days)}`,
    slower: (seconds, days) => `${seconds} s más lento que ${inDaysBefore(days)}`,
    faster: (seconds, days) => `${seconds} s más rápido que ${inDaysBefore(days)}`,
  },
  chart: {
    title: 'Cobros por día',
    weeksTitle: 'Cobros por semana',
    days: (from, to) => `${from} a ${to}`,
    succeeded: 'Completados',
    failed: 'Fallidos',
    todaySoFar: 'Hoy hasta ahora',
    currentWeek: 'Semana en curso',
    soFar: (day) => `${day}, hasta ahora`,
    net: (amount) => `Neto: ${amount}`,
    failedShare: (failed, percent) => `${plural(failed, { one: '# fallido', other: '# fallidos' })} (${percent})`,
    table: 'Mostrar como tabla',
    tableLabel: 'Cobros por día, los más recientes primero',
    day: 'Día',
    dayNotOver: 'hasta ahora',
  },
  counts: {
    succeeded: (count) => plural(count, { one: '# completado', other: '# completados' }),
    failed: (count) => plural(count, { one: '# fallido', other: '# fallidos' }),
  },
  heads: {
    succeeded: 'Completados',
    failed: 'Fallidos',
    gross: 'Bruto',
    refunded: 'Reembolsado',
    net: 'Neto',
  },
  funnel: {
    title: 'Embudo de llamadas',
    ofAll: 'Pasos de las llamadas terminadas',
    some: 'Pasos de algunas llamadas',
    ofSome: 'Pasos que solo tienen algunas llamadas',
    step: 'Paso',
    share: 'Proporción',
    calls: 'Llamadas',
    lost: 'Abandonos',
    none: 'Ninguna',
    count: calls,
    ofCalls: (reached, all) => `${numberText(reached)} de ${calls(all)}`,
    saved: (count) => plural(count, { one: '# guardó una tarjeta', other: '# guardaron una tarjeta' }),
    left: {
      answered: (count, percent) => `${numberText(count)} sin llegar a ninguna pregunta (${percent})`,
      charge: (count, percent) => `${numberText(count)} sin pagar (${percent})`,
      returned: (count, percent) => `${numberText(count)} sin volver al agente (${percent})`,
      other: (count, percent) => `${plural(count, { one: '# terminó aquí', other: '# terminaron aquí' })} (${percent})`,
    },
  },
  steps: {
    answered: 'Llamada atendida',
    method: 'Forma de pago solicitada',
    saved_card: 'Tarjeta guardada ofrecida',
    card_number: 'Número de tarjeta solicitado',
    expiry: 'Fecha de vencimiento solicitada',
    security_code: 'Código de seguridad solicitado',
    postal_code: 'Código postal solicitado',
    part: 'Pago parcial ofrecido',
    part_amount: 'Importe parcial solicitado',
    tip: 'Propina ofrecida',
    routing_number: 'Número de ruta solicitado',
    account_number: 'Número de cuenta solicitado',
    account_number_again: 'Número de cuenta solicitado de nuevo',
    account_type: 'Tipo de cuenta solicitado',
    debit_terms: 'Autorización del débito bancario solicitada',
    keep_card: 'Opción de guardar la tarjeta',
    confirmation: 'Confirmación solicitada',
    charge: 'Cobro en la tarjeta',
    returned: 'Vuelta al agente',
  },
  declines: {
    title: 'Por qué fallaron los cobros',
    none: 'Ningún cobro fallido.',
    label: 'Motivos de los cobros fallidos',
    reason: 'Motivo',
    share: 'Proporción',
    charges: 'Cobros',
    count: (charges) => plural(charges, { one: '# cobro', other: '# cobros' }),
  },
  merchants: { title: 'Por comercio', label: 'Comercios, los de más cobros primero' },
};
