/** Spanish words of messages. */
import type { AlertTexts } from './en.ts';
import { alertFormats } from './formats.ts';

const { number, plural } = alertFormats('es');

export const es: AlertTexts = {
  subject: (from, heading) => `${from}: ${heading}`,
  testMode: (account) => `${account}, modo de prueba`,
  labeled: (label, value) => `${label}: ${value}`,
  why: 'Recibe este correo porque ha activado las alertas.',
  settings: 'Configurar las alertas',
  open: 'Abrir en el panel',
  more: (count) => `${number(count)} más`,
  showAll: 'Mostrar todo lo que hay por resolver',
  urgent: (title) => `Urgente: ${title}`,
  problems: (count) => plural(count, { one: '# problema por resolver', other: '# problemas por resolver' }),
  resolvedItem: (title) => `Resuelto: ${title}`,
  resolvedCount: (count) => plural(count, { one: '# problema resuelto', other: '# problemas resueltos' }),
  resolved: 'Resuelto',
  nothingMore: { title: 'No hay nada más que hacer', text: 'La causa ha desaparecido.' },
  test: {
    heading: 'Mensaje de prueba',
    title: 'Las alertas llegan aquí',
    text: 'Así se ve un mensaje. No tiene que hacer nada.',
    show: 'Mostrar lo que hay por resolver',
  },
  summary: {
    heading: (day) => `Resumen del ${day}`,
    title: 'Llamadas y pagos',
    calls: 'Llamadas',
    noCalls: 'Ninguna',
    ofCalls: (calls, paid) => `${number(calls)}, ${number(paid)} con pago`,
    rate: 'Cobros completados',
    ofCharges: (succeeded, all, rate) => `${number(succeeded)} de ${number(all)}, ${rate}`,
    ofChargesWithUsual: (succeeded, all, rate, usual) =>
      `${number(succeeded)} de ${number(all)}, ${rate} (${usual} en la semana anterior)`,
    open: 'Abrir Resumen en el panel',
    attention: 'Por resolver',
    nothing: 'Nada',
    show: 'Ver qué hacer',
  },
  inCurrency: (label, currency) => `${label}, ${currency}`,
  money: { payments: 'Pagos', refunded: 'Reembolsado', net: 'Neto' },
  ofPayments: (count, amount) => `${amount} (${number(count)})`,
  report: {
    heading: (month) => `Informe de ${month}`,
    open: 'Abrir el informe',
    notCounted: 'No se pudo calcular el informe. Es posible que se abra en el panel.',
    none: 'Sin pagos, reembolsos, disputas ni liquidaciones',
    disputed: 'Disputado',
    ofDisputes: (amount, lost) => `${amount}, perdido: ${lost}`,
    paidOut: 'Liquidado',
    afterFees: (amount, fees) => `${amount}, después de comisiones de ${fees}`,
    shared: (paid, shared, payouts) =>
      `${paid} (${number(shared)} de ${number(payouts)} liquidaciones compartidas con otros comercios)`,
  },
};
