/** Spanish, with usted. */
import type { AgentWords, CallerWords } from '../agent.ts';

function mistyped(spoken: string, shown: string): CallerWords {
  return {
    agentMessage: `El banco dice que ${spoken} no coincide. ¿Quiere comprobarlo e intentarlo otra vez?`,
    displayMessage: `${shown} no coincide. Compruébelo e inténtelo otra vez.`,
  };
}

export const agent: AgentWords = {
  errors: {
    card_declined: {
      agentMessage: 'Lo siento, la tarjeta fue rechazada. ¿Quiere usar otra tarjeta?',
      displayMessage: 'Su tarjeta fue rechazada. Pruebe con otra tarjeta.',
    },
    instrument_not_found: {
      agentMessage: 'Lo siento, no encuentro esa tarjeta guardada. ¿Quiere usar otra?',
      displayMessage: 'Esa tarjeta no está guardada. Elija otra tarjeta.',
    },
    processor_mismatch: {
      agentMessage:
        'Aquí no puedo usar esa tarjeta, pero puedo enviarle por mensaje un enlace seguro para pagar. ¿Le parece bien?',
      displayMessage: 'Esa tarjeta no se puede usar aquí. Pague con el enlace que le enviamos.',
    },
    merchant_credentials_invalid: {
      agentMessage:
        'Lo siento, en este momento no puedo recibir pagos. El problema no es su tarjeta, y no se le ha cobrado nada.',
      displayMessage:
        'En este momento no se pueden recibir pagos. El problema no es su tarjeta, y no se le ha cobrado nada.',
    },
    needs_enrollment: {
      agentMessage:
        'Todavía no tengo aquí ninguna tarjeta suya guardada, pero puedo enviarle por mensaje un enlace seguro para pagar. ¿Se lo envío?',
      displayMessage: 'Todavía no hay ninguna tarjeta guardada aquí. Pague con el enlace que le enviamos.',
    },
    processor_unavailable: {
      agentMessage: 'No pude confirmar si el pago se realizó, así que por favor no pague otra vez.',
      displayMessage: 'Todavía no hemos podido confirmar su pago. No pague otra vez.',
    },
    rate_limit: {
      agentMessage: 'Lo siento, no ha funcionado ahora mismo. Deme un momento y lo intentamos otra vez.',
      displayMessage: 'Demasiados intentos. Espere un momento e inténtelo otra vez.',
    },
    order_lookup_failed: {
      agentMessage: 'Lo siento, ahora mismo no encuentro ese pedido, así que todavía no puedo recibir el pago.',
      displayMessage: 'No encontramos ese pedido. No se le ha cobrado nada.',
    },
    card_save_failed: {
      agentMessage: 'Lo siento, no pude guardar esa tarjeta. ¿Quiere usar otra?',
      displayMessage: 'No se pudo guardar esa tarjeta. Pruebe con otra tarjeta.',
    },
  },
  declines: {
    insufficient_funds: {
      agentMessage: 'Lo siento, el banco no aprobó ese importe con esta tarjeta. ¿Quiere usar otra tarjeta?',
      displayMessage: 'Su banco no aprobó este importe. Pruebe con otra tarjeta.',
    },
    expired_card: {
      agentMessage: 'Lo siento, esa tarjeta está vencida. ¿Quiere usar otra tarjeta?',
      displayMessage: 'Su tarjeta está vencida. Pruebe con otra tarjeta.',
    },
    card_not_supported: {
      agentMessage: 'Lo siento, esa tarjeta no se puede usar para este pago. ¿Quiere usar otra tarjeta?',
      displayMessage: 'Esta tarjeta no se puede usar para este pago. Pruebe con otra tarjeta.',
    },
    authentication_required: {
      agentMessage:
        'Lo siento, el banco quiere que el titular confirme el pago, y no se ha confirmado. ¿Quiere usar otra tarjeta?',
      displayMessage:
        'Su banco le pidió que confirmara el pago, y no se ha confirmado. Inténtelo otra vez o pruebe con otra tarjeta.',
    },
    incorrect_number: mistyped('el número de la tarjeta', 'El número de la tarjeta'),
    incorrect_cvc: mistyped('el código de seguridad', 'El código de seguridad'),
    incorrect_expiry: {
      agentMessage: 'El banco dice que la fecha de vencimiento no coincide. ¿Quiere comprobarla e intentarlo otra vez?',
      displayMessage: 'La fecha de vencimiento no coincide. Compruébela e inténtelo otra vez.',
    },
    incorrect_zip: mistyped('el código postal', 'El código postal'),
    processing_error: {
      agentMessage: 'Lo siento, no se pudo procesar ese pago. ¿Quiere intentarlo otra vez o usar otra tarjeta?',
      displayMessage: 'No se pudo procesar su pago. Inténtelo otra vez o pruebe con otra tarjeta.',
    },
    try_again_later: {
      agentMessage:
        'Lo siento, ahora mismo no se puede cobrar con esa tarjeta. ¿Quiere usar otra tarjeta o intentarlo más tarde?',
      displayMessage: 'Ahora mismo no se puede cobrar con esta tarjeta. Inténtelo más tarde o pruebe con otra.',
    },
  },
  other: {
    no_more_attempts: {
      agentMessage: 'Lo siento, por ahora no puedo intentar más pagos para este pedido. No se le ha cobrado nada.',
      displayMessage: 'Por ahora no se pueden intentar más pagos. No se le ha cobrado nada.',
    },
    order_paid: {
      agentMessage: 'Ese pedido ya está pagado, así que no queda nada por pagar.',
      displayMessage: 'Este pedido ya está pagado. No queda nada por pagar.',
    },
    order_has_payment: {
      agentMessage: 'Ya hay un pago para ese pedido, así que no puedo aceptar otro.',
      displayMessage: 'Ya hay un pago para este pedido. Aquí no se puede hacer otro.',
    },
    order_pending: {
      agentMessage: 'Se está confirmando un pago de ese pedido, así que no vuelva a pagar, por favor.',
      displayMessage: 'Se está confirmando un pago de este pedido. No vuelva a pagar.',
    },
    debit_declined: {
      agentMessage: 'Lo siento, el pago desde su cuenta bancaria no se pudo realizar. ¿Quiere pagar con tarjeta?',
      displayMessage: 'El pago desde su cuenta bancaria no se pudo realizar. Por favor, pague con tarjeta.',
    },
    outcome_by_text: {
      agentMessage:
        'No pude confirmar si el pago se realizó, así que por favor no pague otra vez. Le enviaremos un mensaje en cuanto lo sepamos.',
      displayMessage:
        'Todavía no hemos podido confirmar su pago. No pague otra vez: le enviaremos un mensaje en cuanto lo sepamos.',
    },
    no_card_on_file: {
      agentMessage: 'Lo siento, aquí no tengo ninguna tarjeta suya guardada con la que pueda cobrar.',
      displayMessage: 'Aquí no hay ninguna tarjeta guardada con la que pueda pagar.',
    },
    card_not_usable: {
      agentMessage: 'Lo siento, no puedo usar esa tarjeta aquí. ¿Quiere pagar con otra tarjeta?',
      displayMessage: 'Esa tarjeta no se puede usar aquí. Use otra tarjeta, por favor.',
    },
    link_not_texted: {
      agentMessage: 'Lo siento, ahora no puedo enviarle un enlace.',
      displayMessage: 'Ahora no se puede enviar un enlace a este número.',
    },
    refund_unavailable: {
      agentMessage: 'Lo siento, en este momento no puedo hacer ese reembolso. No se ha reembolsado nada.',
      displayMessage: 'En este momento no se pueden hacer reembolsos. No se ha reembolsado nada.',
    },
    refund_unknown: {
      agentMessage: 'Todavía no he podido confirmar ese reembolso. No tiene que hacer nada más; se resolverá en breve.',
      displayMessage: 'Todavía no hemos podido confirmar el reembolso. Se resolverá en breve; no tiene que hacer nada.',
    },
  },
  checkout: {
    transfer: 'Ahora le paso a nuestra línea de pago segura. Tenga su tarjeta a mano, por favor.',
    transferToSave: 'Ahora le paso a nuestra línea segura para guardar su tarjeta. Téngala a mano, por favor.',
    linkToSave: 'Ahora le envío por mensaje un enlace seguro para guardar su tarjeta.',
    transferWithoutKeypad: 'Ahora le paso a nuestra línea de pago segura.',
    cardOrLater: 'Puede pagar ahora con la tarjeta que tenemos guardada, o más tarde. ¿Qué prefiere?',
    linkOrLater: 'Puede pagar ahora con un enlace seguro que le envío por mensaje, o más tarde. ¿Qué prefiere?',
    later: 'No hace falta que pague ahora; puede pagar más tarde.',
    nothingDue: 'Ya está todo listo. Ahora mismo no hay nada que pagar.',
  },
  outcome: {
    paid: 'Gracias, su pago se ha realizado.',
    paidPart: (remaining) => `Gracias, su pago se ha realizado. Pendiente de pago: ${remaining}.`,
    held: (amount) => `Gracias, hemos retenido ${amount} en su tarjeta. Todavía no se le ha cobrado nada.`,
    saved: 'Gracias, su tarjeta está guardada. No se le ha cobrado nada.',
    savingPending: 'Su tarjeta se está verificando en este momento.',
    unsaved: 'Todavía no se ha guardado ninguna tarjeta. No se le ha cobrado nada.',
    released: 'La retención en su tarjeta se ha anulado, y no se le ha cobrado nada.',
    debited:
      'Gracias, su pago desde la cuenta bancaria está en camino. Queda pendiente hasta que su banco lo pague, en unos días.',
    returned: 'Su banco ha devuelto ese pago, así que no está pagado.',
    notCollected: 'Ese pago finalmente no se pudo cobrar, así que no está pagado.',
    confirming: 'Se está confirmando un pago, así que no vuelva a pagar, por favor.',
    expired: 'El tiempo para este pago se ha agotado, y no se le ha cobrado nada.',
    linkTexted: 'Todavía puede pagar con el enlace seguro que le enviamos por mensaje.',
    unpaid: 'Todavía no se ha pagado nada.',
    notConnected:
      'Lo siento, no se pudo conectar con nuestra línea de pago, y no se le ha cobrado nada. ¿Lo intentamos otra vez?',
    nothingKeyed:
      'La línea de pago no recibió los datos de su tarjeta, así que no se le ha cobrado nada. ¿Quiere intentarlo otra vez?',
    notUnderstood:
      'La línea de pago no pudo leer los datos de su tarjeta, así que no se le ha cobrado nada. ¿Quiere intentarlo otra vez?',
    stopped: 'El pago se interrumpió, y no se le ha cobrado nada. ¿Quiere intentarlo otra vez?',
    noKeypad: 'Lo siento, aquí no se puede introducir una tarjeta con el teclado. No se le ha cobrado nada.',
    lineFailed: 'Lo siento, hubo un problema en la línea de pago. No se le ha cobrado nada. ¿Lo intentamos otra vez?',
  },
};
