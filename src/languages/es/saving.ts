import type { SavingWords } from '../saving.ts';

export const saving: SavingWords = {
  instead: {
    testCard: 'Use 4242 4242 4242 4242, cualquier fecha futura y cualquier código de seguridad.',
    pay: (business) => `Guardar su tarjeta para ${business}`,
    until: (when) => `Puede guardar su tarjeta hasta: ${when}.`,
    support: '¿Preguntas sobre cómo se guarda su tarjeta?',
    faultsHeading: 'Compruebe lo que ha escrito',
    withoutScript:
      'Para guardar una tarjeta en esta página hace falta JavaScript, que está desactivado en este navegador. Actívelo o abra el enlace en otro navegador.',
    withoutScriptKeypad:
      'Para guardar una tarjeta en esta página hace falta JavaScript, que está desactivado en este navegador. También puede introducirla con el teclado de su teléfono: dígalo en su llamada.',
    working: {
      heading: 'Se está comprobando su tarjeta',
      text: 'Tarda unos segundos. Deje esta página abierta.',
    },
    action: {
      heading: 'Su banco le pide que confirme',
      text: 'Confirme con su banco que esta tarjeta se puede guardar. No se le cobra nada.',
    },
    paid: {
      heading: 'Tarjeta guardada',
      text: (business) => `Gracias. Su tarjeta se ha guardado para ${business}. No se le ha cobrado nada.`,
    },
    notTaken: { heading: 'La tarjeta no se guardó' },
    pending: { heading: 'Su tarjeta aún se está comprobando' },
    onPhone: {
      heading: 'Se está guardando una tarjeta por teléfono',
      text: 'Se está comprobando la tarjeta de su llamada. Aquí no tiene que hacer nada.',
    },
    onCall: {
      asking: 'En la llamada se le piden ahora los datos de su tarjeta. También puede escribirlos aquí.',
      keying: 'Se está introduciendo una tarjeta por teléfono.',
      paying: 'Se está comprobando la tarjeta de la llamada. No escriba otra aquí, por favor.',
      waiting: 'La llamada espera mientras guarda su tarjeta aquí.',
      leaving: 'Su llamada vuelve con su agente.',
    },
    alreadyPaid: {
      heading: 'La tarjeta ya está guardada',
      text: 'Se guardó una tarjeta por teléfono. No tiene que hacer nada más.',
    },
    expired: {
      heading: 'Este enlace ha caducado',
      text: (business) => `Aquí ya no se puede guardar una tarjeta. Pida un enlace nuevo a ${business}.`,
    },
    gone: {
      heading: 'Aquí no se puede guardar una tarjeta',
      text: 'En este momento no se pueden guardar tarjetas aquí. No se le ha cobrado nada.',
    },
    otherAttempt: 'Ya se estaba guardando una tarjeta en otra ventana o por teléfono. Solo se guarda una.',
    notStarted: 'No se pudo comprobar su tarjeta y no se cobró nada. Inténtelo otra vez.',
    sentBefore:
      'Este formulario ya se había enviado, por lo que esta vez no se guardó ninguna tarjeta. Introduzca otra vez los datos de su tarjeta.',
  },
  browser: {
    working: 'Comprobando…',
    still: 'Su tarjeta aún se está comprobando. Deje esta página abierta.',
    offline: 'Se ha perdido la conexión. Lo que escribió se conserva y se enviará de nuevo solo. No se cobra nada.',
    unsent:
      'No ha llegado respuesta, así que aún no se sabe si su tarjeta está guardada. Lo que escribió se conserva: compruebe su conexión y pulse otra vez el botón. No se cobra nada.',
    blocked:
      'Los campos de la tarjeta no se han podido cargar: algo los bloquea o no hay conexión. Cargue otra vez la página o introduzca la tarjeta por teléfono en su llamada.',
    not_shown:
      'No se ha podido mostrar la pregunta de su banco, y no se ha cobrado nada. Vuelva a cargar la página o pulse «No confirmar» para usar otra tarjeta.',
    unavailable: 'No se pudo comprobar su tarjeta y no se cobró nada. Inténtelo otra vez.',
  },
  button: 'Guardar la tarjeta',
  notCharged: 'Ahora no se le cobra nada.',
  terms: {
    returning: (business) => `${business} solo usará esta tarjeta cuando usted la elija para un pago.`,
    merchant_initiated: (business, max) =>
      max === null
        ? `${business} podrá cobrar más adelante en esta tarjeta sin volver a preguntarle, como se describe abajo.`
        : `${business} podrá cobrar más adelante en esta tarjeta sin volver a preguntarle, como se describe abajo, como máximo ${max} cada vez.`,
  },
  pendingText: 'Aún no sabemos si su tarjeta está guardada. No se le ha cobrado nada.',
  outcomeByText:
    'Aún no sabemos si su tarjeta está guardada: le enviaremos un mensaje en cuanto lo sepamos. No se le ha cobrado nada.',
  receipt: { caption: 'Confirmación', to: 'Guardada para' },
};
