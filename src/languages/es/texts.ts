import { ifKnown, type TextWords } from '../texts.ts';

export const texts: TextWords = {
  card: (brand, lastFour) => `${brand ?? 'tarjeta'} terminada en ${lastFour}`,
  with_tip: ({ amount, tip }) => `${amount} (con ${tip} de propina)`,
  with_remaining: ({ amount, remaining }) => `${amount} (quedan ${remaining} por pagar)`,
  account: (lastFour) => (lastFour === null ? 'cuenta bancaria' : `cuenta bancaria terminada en ${lastFour}`),
  debit_terms: ({ business, amount, account, payer, phone, when }) =>
    `${business}: el ${when} ${payer} autorizó un débito electrónico de ${amount} en la ${account}, ese día o después. Queda pendiente hasta que el banco lo pague, en unos días. Preguntas, o para revocar: ${phone}. Responda STOP para no recibir más.`,
  debit_returned: ({ business, amount, account, order, when, phone }) =>
    `${business}: su banco ha devuelto el débito de ${amount}${ifKnown(' del pedido ', order)} (${when}) de la ${account}. No queda pagado.${ifKnown(' Preguntas: ', phone, '.')} Responda STOP para no recibir mensajes.`,
  receipt: ({ business, amount, card, order, when }) =>
    `${business}: pago de ${amount}${ifKnown(' con ', card)}.${ifKnown(' Pedido ', order, '.')} ${when}. Responda STOP para no recibir mensajes.`,
  hold: ({ business, amount, card, order, when }) =>
    `${business}: hemos retenido ${amount}${ifKnown(' en ', card)}. Por ahora no se le ha cobrado.${ifKnown(' Pedido ', order, '.')} ${when}. Responda STOP para no recibir mensajes.`,
  card_saved: ({ business, card }) =>
    `${business}: su tarjeta se ha guardado${ifKnown(' (', card, ')')}. No se le ha cobrado nada. Para eliminarla, contacte con ${business}. Responda STOP para no recibir mensajes.`,
  card_not_saved: ({ business, when }) =>
    `${business}: su tarjeta no se ha guardado (${when}). No se le ha cobrado nada. Responda STOP para no recibir mensajes.`,
  not_charged: ({ business, amount, order, when }) =>
    `${business}: su pago de ${amount}${ifKnown(' del pedido ', order)} (${when}) no se pudo realizar. No se le ha cobrado nada. Responda STOP para no recibir mensajes.`,
  not_collected: ({ business, amount, order, when }) =>
    `${business}: su pago de ${amount}${ifKnown(' del pedido ', order)} (${when}) finalmente no se pudo cobrar. No se le ha cobrado nada, por lo que sigue pendiente. Responda STOP para no recibir mensajes.`,
  late_receipt: ({ business, amount, card, order, when }) =>
    `${business}: su pago de ${amount}${ifKnown(' del pedido ', order)} (${when}) finalmente se ha cobrado${ifKnown(' con ', card)}. No pague otra vez. Si ha pagado de otro modo, contacte con ${business}. Responda STOP para no recibir mensajes.`,
  pay_link: ({ business, amount, link }) =>
    `${business}: pague ${amount} en ${link} Responda STOP para no recibir mensajes.`,
  save_link: ({ business, link }) =>
    `${business}: guarde su tarjeta en ${link} Responda STOP para no recibir mensajes.`,
  page_code: ({ business, code }) => `${business}: ${code} es su clave para pagar en la web. No la dé a nadie.`,
};
