/** Spanish words of manual settlement. */
import type { SettleWords } from './en.tsx';

const textTo = (phone: string | null, what: string) =>
  phone === null ? '' : ` Se envía ${what} por SMS al ${phone} si es posible enviar SMS a ese número.`;

const lostRefund = {
  title: (amount: string, card: string) => `No se realizó el reembolso de ${amount} a ${card}`,
  submit: (amount: string) => `Resolver: reembolso de ${amount} no realizado`,
  consequence: () =>
    'El reembolso falla, sus endpoints de webhook reciben refund.failed y el cobro se puede reembolsar de nuevo. Si el dinero sí se reembolsó, es posible que se reembolse dos veces.',
};

export const es: SettleWords = {
  title: 'Resolver manualmente',
  needsSettling: {
    charge: {
      title: 'Este cobro se debe resolver manualmente',
      text: 'El procesador nunca comunicó el resultado y Ringkey ya no lo consulta. Un propietario o desarrollador debe consultarlo en el panel del procesador y resolver el cobro aquí.',
    },
    refund: {
      title: 'Este reembolso se debe resolver manualmente',
      text: 'El procesador nunca comunicó el resultado y Ringkey ya no lo consulta. Un propietario o desarrollador debe consultarlo en el panel del procesador y resolver el reembolso aquí.',
    },
  },
  cardOnly: 'Tarjeta',
  savesOnly: 'importe cero, para guardar una tarjeta',
  leads: {
    charge: (amount, card, merchant) => (
      <>
        Cobro de {amount}, {card}, {merchant}
      </>
    ),
    refund: (amount, card, merchant) => (
      <>
        Reembolso de {amount}, {card}, {merchant}
      </>
    ),
  },
  checkFirst: (processor) => `Consulte primero el panel de ${processor}`,
  checkText: {
    charge:
      'El procesador nunca comunicó el resultado de este cobro y Ringkey ya no lo consulta. Introduzca solo lo que muestra el procesador. No podrá cambiarlo más tarde.',
    refund:
      'El procesador nunca comunicó el resultado de este reembolso y Ringkey ya no lo consulta. Introduzca solo lo que muestra el procesador. No podrá cambiarlo más tarde.',
  },
  next: 'Continuar',
  outcome: 'Resultado en el procesador',
  processorId: { charge: 'ID del pago en el procesador', refund: 'ID del reembolso en el procesador' },
  idHint: 'Solo es necesario si el pago o el reembolso se realizó.',
  noId: 'Introduzca el ID del procesador. Todo pago o reembolso realizado tiene uno.',
  cardNumber: 'Parece un número de tarjeta, y Ringkey nunca los guarda.',
  badId: 'Introduzca el ID tal como lo muestra el procesador, sin espacios.',
  endings: {
    charge: {
      succeeded: {
        option: 'El pago se completó',
        title: (amount, card) => `Se completó el cobro de ${amount} en ${card}`,
        submit: (amount) => `Resolver: cobro de ${amount} completado`,
        consequence: (phone) =>
          `La sesión de pago queda pagada y sus endpoints de webhook reciben checkout.succeeded y checkout.completed.${textTo(phone, 'el recibo')}`,
      },
      not_received: {
        option: 'El procesador nunca recibió el pago',
        title: (amount, card) => `Nunca se realizó el cobro de ${amount} en ${card}`,
        submit: (amount) => `Resolver: cobro de ${amount} no realizado`,
        consequence: (phone) =>
          `El cobro falla y sus endpoints de webhook reciben checkout.failed. Si el cobro sí se hizo, es posible que el llamante pague dos veces.${textTo(phone, 'un aviso de que no se cobró nada')}`,
      },
    },
    saving: {
      not_received: {
        option: 'La tarjeta no se guardó, o aquí no se conoce su identificador',
        title: (_, card) => `La tarjeta no se guardó: ${card}`,
        submit: () => 'Resolver: tarjeta no guardada',
        consequence: (phone) =>
          `El cobro falla, no se guarda ninguna tarjeta y sus endpoints de webhook reciben checkout.failed.${textTo(phone, 'un aviso de que la tarjeta no se guardó')}`,
      },
    },
    refund: {
      succeeded: {
        option: 'El reembolso se completó',
        title: (amount, card) => `Se completó el reembolso de ${amount} a ${card}`,
        submit: (amount) => `Resolver: reembolso de ${amount} completado`,
        consequence: () => 'El reembolso se completa y sus endpoints de webhook reciben refund.succeeded.',
      },
      refused: { ...lostRefund, option: 'El procesador aceptó el reembolso, pero falló' },
      not_received: { ...lostRefund, option: 'El procesador nunca recibió el reembolso' },
    },
  },
  merchant: (name) => <>Comercio: {name}.</>,
  reference: (processor, id) => (
    <>
      Referencia de {processor}: {id}.
    </>
  ),
  onlyRecords:
    'No se envía nada al procesador: aquí solo se registra el resultado que muestra. No podrá cambiarlo más tarde.',
  sentBefore: 'Este formulario ya se había enviado',
  nothingChanged: 'No se ha cambiado nada',
  state: (amount, status) => `Estado actual: ${amount}, ${status.toLowerCase()}.`,
  stateWith: (amount, status, processor, id) =>
    `Estado actual: ${amount}, ${status.toLowerCase()}, referencia de ${processor}: ${id}.`,
  back: { charge: 'Volver al cobro', refund: 'Volver al reembolso' },
};
