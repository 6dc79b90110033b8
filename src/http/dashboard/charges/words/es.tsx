/** Spanish words of the charges' pages. */
import { plural } from '../../words/formats.ts';
import type { ChargeWords } from './en.tsx';

export const es: ChargeWords = {
  title: 'Cobros',
  label: 'Cobros, los más recientes primero',
  kind: 'Cobro',
  titleOf: (id) => `Cobro ${id}`,
  filters: { attention: 'Atención', decline: 'Motivo del rechazo', countedAs: 'Contado como' },
  needsAttention: 'Requiere atención',
  countedAs: {
    succeeded: 'Completado o retenido',
    failed: 'Fallido',
    completed: 'Terminado',
    pending: 'Pendiente',
  },
  totals: 'Totales de estos cobros',
  reasons: 'Motivos de estos cobros fallidos',
  counted: (charges, succeeded, currency) =>
    plural(charges, {
      one: `# cobro en ${currency}, ${plural(succeeded, { one: '# completado', other: '# completados' })}`,
      other: `# cobros en ${currency}, ${plural(succeeded, { one: '# completado', other: '# completados' })}`,
    }),
  sums: { gross: 'Bruto', refunded: 'Reembolsado', net: 'Neto' },
  heads: {
    amount: 'Importe',
    status: 'Estado',
    card: 'Tarjeta',
    merchant: 'Comercio',
    caller: 'Llamante',
    order: 'Pedido',
    source: 'Origen',
    created: 'Creación',
  },
  sources: { phone: 'Llamada', saved_card: 'Tarjeta guardada', page: 'Página de pago' },
  withoutCaller: 'Tarjeta guardada, sin intervención del llamante',
  empty: {
    title: 'Aún no hay cobros',
    text: 'Los cobros aparecen aquí cuando los llamantes pagan: en llamadas, con tarjetas guardadas o en la página de pago.',
    action: 'Tarjetas de prueba',
  },
  badges: {
    returned: 'Devuelto',
    captureFailed: 'Captura fallida',
    partiallyRefunded: 'Reembolsado en parte',
    refunded: 'Reembolsado',
    refundPending: 'Reembolso pendiente',
    partRefundedPartPending: 'Parte reembolsada, parte pendiente',
    cardSaved: 'Tarjeta guardada',
    paidLate: 'Confirmado tarde: requiere atención',
    duplicate: 'Duplicado: requiere atención',
  },
  causes: {
    declined: 'Rechazado',
    not_received: 'No llegó al procesador',
    not_processed: 'No procesado',
    merchant: 'Fallido',
  },
  activity: 'Actividad',
  pending: {
    title: 'El procesador no ha confirmado el resultado',
    text: 'Ringkey lo sigue consultando. No pida al llamante que pague de nuevo: esta página y el webhook comunicarán el resultado.',
  },
  facts: {
    card: 'Tarjeta',
    paidFrom: 'Pagado desde',
    tip: 'Propina',
    leftToPay: 'Queda por pagar',
    debited: 'Débito bancario aceptado',
    returned: 'Devuelto por el banco',
    captureFailed: 'Captura fallida',
    captureBefore: 'Fecha límite de captura',
    captured: 'Capturado',
    fee: 'Comisión',
    net: 'Neto',
    payout: 'Liquidación',
    arrival: (day) => `Abono: ${day}`,
    refunded: 'Reembolsado',
    refundPending: 'Reembolso pendiente',
    source: 'Origen',
    checkout: 'Sesión de pago',
    call: 'Llamada',
    duplicateOf: 'Duplicado de',
    order: 'Pedido',
    caller: 'Llamante',
    merchant: 'Comercio',
    processor: 'Procesador',
    reference: 'Referencia del procesador',
    processorCode: 'Código del procesador',
    created: 'Creación',
    settled: 'Finalización',
  },
  late: {
    title: 'Este cobro se comunicó como fallido, pero el procesador sí cobró en la tarjeta',
    text: 'Es posible que el llamante haya oído que no se cobró nada. El pedido cuenta como pagado. Entréguelo o reembolse el cobro.',
    wasDuplicate: 'Este cobro era un duplicado, y el otro cobro ya se ha reembolsado',
    duplicateRefundPending: 'Este cobro puede ser un duplicado, y el reembolso del otro cobro está pendiente',
    maybeDuplicate: 'Este cobro puede ser un duplicado',
    other: (other, status) => (
      <>
        Se comunicó como fallido, pero el procesador sí cobró en la tarjeta. {other} es de la misma sesión de pago o del
        mismo pedido, y su estado es: {status.toLowerCase()}.
      </>
    ),
    wait: 'Espere su resultado antes de reembolsar uno de los dos.',
    refund: (amount) => `Reembolsar ${amount} como duplicado`,
    seen: (at) => <>Marcado como visto: {at}.</>,
    markSeen: 'Marcar como visto',
  },
  amountIn: (currency) => `Importe en ${currency}`,
  next: 'Continuar',
  noAmount: (example) => `Introduzca un importe como ${example}.`,
  back: 'Volver al cobro',
  nothingChanged: 'No se ha cambiado nada',
  hold: {
    titles: { capture: 'Capturar', void: 'Anular' },
    lead: (amount, card) => (
      <>
        Retención de {amount} en {card}
      </>
    ),
    most: (amount) => `Como máximo ${amount}. El resto se libera.`,
    capture: (amount) => `Capturar ${amount}`,
    captureAll: 'Es el importe retenido completo. Esta acción no se puede deshacer.',
    captureRest: (rest) => `El resto, ${rest}, se libera. Esta acción no se puede deshacer.`,
    release: (amount) => `Liberar ${amount}`,
    releaseText: 'No se cobra nada. Esta acción no se puede deshacer.',
    noAnswer: 'El procesador no ha respondido',
  },
  refund: {
    title: 'Reembolsar',
    lead: (amount, card) => (
      <>
        Cobro de {amount} pagado con {card}
      </>
    ),
    most: (amount) => `Puede reembolsar como máximo ${amount}.`,
    left: (amount) => `Importe reembolsable: ${amount}.`,
    half: (amount) => `La mitad: ${amount}`,
    reason: 'Motivo',
    noReason: 'Sin motivo',
    submit: (amount) => `Reembolsar ${amount}`,
    confirm: (amount, card) => `Reembolsar ${amount} a ${card}`,
    live: 'Esto mueve dinero real y no se puede deshacer.',
    test: 'En el modo de prueba no se mueve dinero real.',
    before: (amount) => `De este cobro ya se han reembolsado o se están reembolsando ${amount}.`,
    refused: 'No se ha reembolsado nada',
    sentBefore: 'Este formulario ya se había enviado',
    sentBeforeText:
      'Si lo envía de nuevo, no se crea otro reembolso. Consulte el estado del reembolso en la página del cobro.',
    unknown: 'El procesador no ha confirmado el reembolso',
    stillLeft: (left, all) => `Aún se pueden reembolsar ${left} de ${all}.`,
    noneLeft: (all) => `El total de ${all} ya se ha reembolsado o se está reembolsando.`,
    again: 'Empezar de nuevo',
  },
};
