import type { EmailWords } from '../emails.ts';

export const emails: EmailWords = {
  receipt: (business, amount) => ({
    subject: `Su recibo de ${business}: ${amount}`,
    heading: 'Pagado',
    text: `Gracias. ${business} ha recibido su pago.`,
  }),
  hold: (business, amount) => ({
    subject: `${business}: retención de ${amount} en su tarjeta`,
    heading: 'Importe retenido',
    text: `Hemos retenido ${amount} en su tarjeta para ${business}. Todavía no se le ha cobrado nada.`,
  }),
  not_charged: (business, amount) => ({
    subject: `${business}: su pago de ${amount} no se pudo realizar`,
    heading: 'Sin pagar',
    text: `Su pago a ${business} no se pudo realizar. No se le ha cobrado nada.`,
  }),
  late_receipt: (business, amount) => ({
    subject: `${business}: su pago de ${amount} finalmente se ha cobrado`,
    heading: 'Finalmente pagado',
    text: `Le dijimos que su pago había fallado, pero se ha cobrado. No pague otra vez. Si ha pagado de otro modo, contacte con ${business}.`,
  }),
  debit_returned: (business, amount) => ({
    subject: `${business}: su banco ha devuelto su pago de ${amount}`,
    heading: 'Devuelto por su banco',
    text: `Su banco ha devuelto el débito de su pago a ${business}, por lo que sigue pendiente de pago.`,
  }),
  not_collected: (business, amount) => ({
    subject: `${business}: su pago de ${amount} no se pudo cobrar`,
    heading: 'Sin pagar',
    text: `Le confirmamos su pago a ${business}, pero finalmente no se pudo cobrar. No se le ha cobrado nada, por lo que sigue pendiente de pago.`,
  }),
  card_saved: (business) => ({
    subject: `${business}: su tarjeta se ha guardado`,
    heading: 'Tarjeta guardada',
    text: `Su tarjeta se ha guardado para ${business}. No se le ha cobrado nada. Para eliminarla, contacte con ${business}.`,
  }),
  card_not_saved: (business) => ({
    subject: `${business}: su tarjeta no se ha guardado`,
    heading: 'Tarjeta no guardada',
    text: `Su tarjeta no se ha podido guardar para ${business}. No se le ha cobrado nada.`,
  }),
  tip: 'propina incluida',
  row: (label, value) => `${label}: ${value}`,
  footer: (business) => `Recibe este correo porque dio su dirección a ${business} para el recibo.`,
};
