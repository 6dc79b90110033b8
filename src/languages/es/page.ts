/** Spanish, with usted. */
import type { PageWords } from '../page.ts';

export const page: PageWords = {
  name: 'Español',
  language: 'Idioma',
  testMode: 'Modo de prueba: no se mueve dinero real.',
  testCard: 'Pague con 4242 4242 4242 4242, cualquier fecha futura y cualquier código de seguridad.',
  pay: (business) => `Pagar a ${business}`,
  payButton: (amount) => `Pagar ${amount}`,
  holdButton: (amount) => `Retener ${amount}`,
  testWallet: 'Pagar con la cartera de prueba',
  forNumber: (lastTwo) => `Para el teléfono terminado en ${lastTwo}`,
  until: (when) => `Puede pagar hasta: ${when}.`,
  support: '¿Preguntas sobre este pago?',
  terms: 'Condiciones',
  privacy: 'Privacidad',
  order: 'Pedido',
  items: 'Artículos',
  total: 'Total',
  tip: { heading: 'Añadir propina', none: 'Sin propina', of: (percent, amount) => `${percent}: ${amount}` },
  card: 'Tarjeta',
  fields: {
    number: { label: 'Número de tarjeta', hint: null },
    expiry: { label: 'Fecha de vencimiento', hint: 'MM / AA' },
    security_code: {
      label: 'Código de seguridad',
      hint: '3 cifras en el reverso; 4 en el anverso de American Express',
    },
    postal_code: { label: 'Código postal', hint: null },
  },
  faults: {
    number_missing: 'Escriba el número de la tarjeta.',
    number_incomplete: 'El número de la tarjeta es demasiado corto.',
    number_wrong: 'Compruebe el número de la tarjeta: falta una cifra o hay una equivocada.',
    number_not_accepted: 'Aquí no se acepta este tipo de tarjeta. Use otra tarjeta.',
    expiry_missing: 'Escriba la fecha de vencimiento.',
    expiry_wrong: 'Escriba la fecha de vencimiento como mes y año, por ejemplo 04 / 29.',
    expiry_past: 'La fecha de vencimiento ya ha pasado.',
    security_code_missing: 'Escriba el código de seguridad.',
    security_code_wrong: 'Compruebe el código de seguridad: no tiene la longitud correcta.',
    postal_code_missing: 'Escriba el código postal.',
    postal_code_wrong: 'Compruebe el código postal.',
    consent_missing: 'Marque la casilla si está de acuerdo. De lo contrario, su tarjeta no se guarda.',
  },
  faultsHeading: 'Compruebe los datos de la tarjeta',
  keepCard: 'Guardar esta tarjeta para mis próximos pagos aquí, en esta página o por teléfono.',
  encrypted: 'Los datos de su tarjeta se envían cifrados.',
  saved: {
    heading: 'Pagar con una tarjeta guardada',
    question: '¿Ya guardó aquí una tarjeta?',
    offer: (lastTwo) => `Primero enviamos un código por mensaje al teléfono que termina en ${lastTwo}.`,
    ask: 'Enviarme un código',
    sent: (lastTwo) => `El código se envió al número que termina en ${lastTwo}. Vale durante cinco minutos.`,
    code: 'Código del mensaje',
    show: 'Ver mis tarjetas',
    again: 'Enviar otro código',
    faults: {
      wrong: 'Ese no es el código. Escriba las seis cifras del último mensaje.',
      over: 'Este código ya no sirve. Pida otro.',
      limit:
        'Por ahora no se pueden enviar más códigos. Escriba los datos de una tarjeta arriba o inténtelo más tarde.',
    },
    none: 'Aquí no hay ninguna tarjeta guardada para este número. Escriba los datos de una tarjeta arriba.',
    payWith: (amount, card, expiry) => `Pagar ${amount} con ${card}, válida hasta ${expiry}`,
    holdWith: (amount, card, expiry) => `Retener ${amount} en ${card}, válida hasta ${expiry}`,
  },
  withoutScript:
    'Para pagar con tarjeta en esta página hace falta JavaScript, que está desactivado en este navegador. Actívelo o abra el enlace en otro navegador.',
  withoutScriptKeypad:
    'Para pagar con tarjeta en esta página hace falta JavaScript, que está desactivado en este navegador. También puede pagar con el teclado de su teléfono: dígalo en su llamada.',
  loadingFields: 'Cargando los campos de la tarjeta…',

  working: {
    heading: 'Se está realizando su pago',
    text: 'Tarda unos segundos. Deje esta página abierta y no pague otra vez.',
  },
  action: {
    heading: 'Su banco le pide que confirme',
    text: 'Confirme el pago con su banco. Solo después se le cobrará.',
  },
  paid: { heading: 'Pagado', text: (business) => `Gracias. ${business} ha recibido su pago.` },
  held: {
    heading: 'Importe retenido',
    text: (amount, business) =>
      `Hemos retenido ${amount} en su tarjeta para ${business}. Todavía no se le ha cobrado nada.`,
  },
  holdNotice: (business) => `El importe solo se retiene en su tarjeta. ${business} lo cobrará más tarde o lo liberará.`,
  declined: { heading: 'La tarjeta fue rechazada' },
  notTaken: { heading: 'El pago no se realizó' },
  noMoreAttempts: { heading: 'No hay más intentos' },
  pending: { heading: 'Su pago aún no está confirmado' },
  orderPending: { heading: 'Este pedido se está pagando' },
  onPhone: {
    heading: 'Se está pagando por teléfono',
    text: 'Hay un pago en curso en su llamada. Aquí no tiene que hacer nada.',
  },
  onCall: {
    asking: 'En la llamada se le piden ahora los datos de su tarjeta. También puede pagar aquí.',
    keying: 'Se está introduciendo una tarjeta por teléfono.',
    paying: 'Se está cobrando la tarjeta de la llamada. No pague aquí, por favor.',
    waiting: 'La llamada espera mientras paga aquí.',
    leaving: 'Su llamada vuelve con su agente.',
  },
  alreadyPaid: { heading: 'Ya está pagado', text: 'Se pagó por teléfono. No queda nada por pagar.' },
  alreadyHeld: {
    heading: 'Importe ya retenido',
    text: 'El importe de este pedido ya está retenido. No tiene que hacer nada más.',
  },
  expired: {
    heading: 'Este enlace ha caducado',
    text: (business) => `Aquí ya no se puede pagar. Pida un enlace nuevo a ${business}.`,
  },
  nothingToPay: { heading: 'Nada por pagar', text: 'En este momento no hay nada por pagar aquí.' },
  gone: {
    heading: 'Aquí no se puede pagar',
    text: 'En este momento no se pueden recibir pagos aquí. No se le ha cobrado nada.',
  },
  notFound: {
    heading: 'Este enlace no funciona',
    text: 'Abra otra vez el enlace completo de su mensaje de texto. Si sigue sin funcionar, pida uno nuevo.',
  },
  tooMany: {
    heading: 'Demasiados intentos',
    text: 'Espere un minuto y abra otra vez el enlace de su mensaje de texto.',
  },
  notOurs: {
    heading: 'Abra el enlace otra vez',
    text: 'Este formulario no llegó desde nuestra página, así que no se cobró nada. Abra otra vez el enlace de su mensaje de texto.',
  },
  failed: {
    heading: 'Algo ha fallado por nuestra parte',
    text: 'Abra la página otra vez dentro de un momento. Le dirá si el pago se realizó; hasta entonces no pague de otra manera.',
  },

  otherAttempt: 'Ya se estaba pagando en otra ventana o por teléfono. Solo se le cobra una vez.',
  notStarted: 'No se pudo iniciar el pago y no se cobró nada. Inténtelo otra vez.',
  sentBefore:
    'Este formulario ya se había enviado, por lo que esta vez no se cobró nada. Introduzca otra vez los datos de su tarjeta.',
  confirm: 'Confirmar',
  doNotConfirm: 'No confirmar',
  browser: {
    working: 'Pagando…',
    still: 'El pago sigue en curso. Deje esta página abierta y no pague otra vez.',
    offline:
      'Se ha perdido la conexión. Lo que escribió se conserva y el pago se enviará de nuevo solo. Solo se le cobra una vez.',
    unsent:
      'No ha llegado respuesta, así que aún no se sabe si el pago se realizó. Lo que escribió se conserva: compruebe su conexión y pulse otra vez el botón. Solo se le cobra una vez.',
    slow: 'Los campos de la tarjeta tardan en cargarse. Espere o compruebe su conexión.',
    blocked:
      'Los campos de la tarjeta no se han podido cargar: algo los bloquea o no hay conexión. Cargue otra vez la página o pague por teléfono en su llamada.',
    incomplete: 'Compruebe los datos de la tarjeta.',
    declined: 'No se pudo usar esta tarjeta. Pruebe con otra tarjeta.',
    not_shown:
      'No se ha podido mostrar la pregunta de su banco, y no se ha cobrado nada. Vuelva a cargar la página o pulse «No confirmar» para pagar de otra manera.',
    not_verified: 'Su banco no ha podido confirmar su identidad. Inténtelo otra vez o use otra tarjeta.',
    unavailable: 'No se pudo iniciar el pago y no se cobró nada. Inténtelo otra vez.',
  },
  checkAgain: 'Comprobar otra vez',
  toThePage: 'Volver al pago',
  continueTo: (host) => `Ir a ${host}`,
  followsSoon: 'Se abrirá dentro de unos segundos.',
  stay: 'Quedarme en esta página',
  receipt: {
    caption: 'Recibo',
    amount: 'Importe',
    tip: 'Propina incluida',
    to: 'Pagado a',
    card: 'Tarjeta',
    cardEnding: (brand, lastFour) => `${brand ?? 'Tarjeta'} terminada en ${lastFour}`,
    account: 'Cuenta bancaria',
    accountEnding: (lastFour) => (lastFour === null ? 'Cuenta de EE. UU.' : `Cuenta terminada en ${lastFour}`),
    when: 'Fecha',
    refunded: 'Reembolsado',
    reference: 'Referencia',
  },
};
