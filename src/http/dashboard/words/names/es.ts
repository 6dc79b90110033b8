/** Spanish names of statuses, reasons and kinds. */
import { declineWords } from '../../../../contract/decline-words.ts';
import type { Names } from './en.ts';

export const es: Names = {
  role: { owner: 'propietario', developer: 'desarrollador', support: 'atención al cliente', viewer: 'lector' },
  chargeStatus: {
    pending: 'Pendiente',
    authorized: 'Retenido',
    succeeded: 'Completado',
    failed: 'Fallido',
    voided: 'Anulado',
    expired: 'Caducado',
  },
  declineCode: declineWords('es'),
  refundStatus: { pending: 'Pendiente', succeeded: 'Completado', failed: 'Fallido' },
  refundReason: {
    duplicate: 'Cobro duplicado',
    fraudulent: 'Fraude',
    requested_by_customer: 'A petición del cliente',
  },
  sessionStatus: { open: 'Abierta', complete: 'Completada', expired: 'Caducada' },
  callOutcome: {
    succeeded: 'Completado',
    failed: 'Fallido',
    pending: 'Pendiente',
    canceled: 'Cancelado',
    expired: 'Caducado',
    agent: 'De vuelta al agente',
  },
  callReason: {
    no_input: 'No se tecleó nada',
    invalid_input: 'Datos no válidos',
    declined: 'Rechazado',
    too_many_attempts: 'Demasiados intentos',
    error: 'Fallo',
    keypad_unavailable: 'Teclado no disponible',
    link_sent: 'Enlace enviado',
    bank_debit: 'Débito bancario',
  },
  disputeStatus: {
    needs_response: 'Requiere respuesta',
    under_review: 'En revisión',
    won: 'Ganada',
    lost: 'Perdida',
    closed: 'Cerrada',
  },
  disputeKind: { inquiry: 'Consulta', chargeback: 'Contracargo' },
  disputeReason: {
    fraudulent: 'Fraude',
    duplicate: 'Cobro duplicado',
    not_received: 'No recibido',
    not_as_described: 'Distinto de lo descrito',
    canceled: 'Cancelado',
    credit_not_processed: 'Abono no realizado',
    amount_differs: 'Importe distinto',
    paid_by_other_means: 'Pagado por otro medio',
    general: 'Otro motivo',
  },
  payoutStatus: { pending: 'Pendiente', paid: 'Pagada', failed: 'Fallida', canceled: 'Cancelada' },
  payoutEntryKind: { charge: 'Cobro', refund: 'Reembolso', dispute: 'Disputa', fee: 'Comisión', other: 'Otro' },
  deliveryState: {
    waiting: 'En espera',
    failing: 'Reintentando',
    failed: 'Fallida',
    delivered: 'Completada',
    canceled: 'Cancelada',
  },
};
