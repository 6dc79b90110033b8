/** Spanish words of the pages that connect a merchant's processor and prove it. */

import { plural } from '../../../words/formats.ts';
import type { ProcessorWords } from './en.tsx';

const kinds: ProcessorWords['kinds'] = {
  stripe: {
    title: 'Stripe',
    text: 'Acepta tarjetas en la página de pago. También por teclado si Stripe ha activado en la cuenta los pagos MOTO y el envío de datos de tarjeta en bruto («raw card data»).',
    credentials: {
      secret_key: { label: 'Clave secreta o restringida', hint: 'sk_… o rk_…' },
      publishable_key: { label: 'Clave publicable', hint: 'pk_…, para la página de pago.' },
      account_id: { label: 'Cuenta conectada', hint: 'acct_…, si la cuenta pertenece a su plataforma.' },
    },
  },
  square: {
    title: 'Square',
    text: 'Acepta tarjetas solo en la página de pago. Los llamantes reciben el enlace por SMS de inmediato.',
    credentials: {
      access_token: { label: 'Token de acceso' },
      application_id: { label: 'ID de la aplicación' },
      location_id: { label: 'ID del local' },
    },
  },
  authorizenet: {
    title: 'Authorize.net',
    text: 'Acepta tarjetas por teclado y, en la página de pago, con Accept.js.',
    credentials: {
      api_login_id: { label: 'ID de acceso a la API («API Login ID»)' },
      transaction_key: { label: 'Clave de transacción («Transaction Key»)' },
      public_client_key: { label: 'Clave pública de cliente', hint: 'Para la página de pago.' },
    },
  },
  checkoutcom: {
    title: 'Checkout.com',
    text: 'Acepta tarjetas por teclado y tokens en sus propias páginas. No tiene campos de tarjeta en la página de pago.',
    credentials: {
      secret_key: { label: 'Clave secreta', hint: 'sk_…' },
      public_key: { label: 'Clave pública', hint: 'pk_…, para los tokens.' },
      processing_channel_id: { label: 'Canal de procesamiento', hint: 'pc_…, si tiene varios.' },
      prefix: { label: 'Prefijo de su dirección de API', hint: 'Como en prefix.api.checkout.com.' },
    },
  },
  worldpay: {
    title: 'Worldpay',
    text: 'Acepta tarjetas por teclado y en la página de pago, mediante Access Worldpay.',
    credentials: {
      username: { label: 'Nombre de usuario' },
      password: { label: 'Contraseña' },
      entity: { label: 'Entidad', hint: 'La que le da Worldpay, como default.' },
      narrative: { label: 'Texto del extracto', hint: 'Lo que leen los pagadores, hasta 24 caracteres.' },
      checkout_id: { label: 'ID de Checkout', hint: 'Para la página de pago.' },
    },
  },
  braintree: {
    title: 'Braintree',
    text: 'Acepta tarjetas por teclado y en la página de pago.',
    credentials: {
      public_key: { label: 'Clave pública' },
      private_key: { label: 'Clave privada' },
      merchant_account_id: { label: 'ID de la cuenta de comercio', hint: 'No es el ID del comercio.' },
      currency: { label: 'Moneda', hint: 'La de esta cuenta de comercio, como USD.' },
      tokenization_key: { label: 'Clave de tokenización', hint: 'Para la página de pago.' },
    },
  },
  hyperswitch: {
    title: 'Hyperswitch',
    text: 'Acepta tarjetas por teclado en su propio servidor de Hyperswitch. Sin tarjetas guardadas ni página de pago.',
    credentials: {
      base_url: { label: 'Dirección del servidor', hint: 'https://…' },
      api_key: { label: 'Clave de API', hint: 'snd_… o prd_…' },
      connector: { label: 'Conector', hint: 'adyen, checkout o worldpayvantiv.' },
      profile_id: { label: 'ID del perfil', hint: 'pro_…, si tiene varios.' },
    },
  },
  adyen: {
    title: 'Adyen',
    text: 'Acepta tarjetas por teclado y en la página de pago. Necesita sus notificaciones: sin ellas, las capturas y los reembolsos quedan pendientes.',
    credentials: {
      api_key: { label: 'Clave de API' },
      merchant_account: { label: 'Cuenta de comercio', hint: 'Una que acepte pagos MOTO.' },
      url_prefix: { label: 'Prefijo de sus direcciones del modo real', hint: 'Solo en modo real.' },
      client_key: { label: 'Clave de cliente', hint: 'test_… o live_…, para la página de pago.' },
      environment: { label: 'Entorno de la clave de cliente', hint: 'En modo real, como live-us.' },
      report_api_key: { label: 'Clave de API para informes', hint: 'Para las liquidaciones.' },
    },
  },
  payconnector: {
    title: 'Conector de pago',
    text: 'Acepta tarjetas por teclado y las envía al endpoint de un Generic Pay Connector (Twilio). Sin tarjetas guardadas, reembolsos ni página de pago.',
    credentials: {
      url: { label: 'URL del endpoint', hint: 'https://…' },
      username: { label: 'Nombre de usuario' },
      password: { label: 'Contraseña' },
      lookup_url: { label: 'URL de consulta', hint: 'Para los cobros cuya respuesta se perdió.' },
    },
  },
  sandbox: { title: 'Sandbox', text: 'Acepta tarjetas de prueba. No se mueve dinero.', credentials: {} },
  sandbox_page: {
    title: 'Sandbox, solo página de pago',
    text: 'Acepta tarjetas de prueba solo en la página de pago.',
    credentials: {},
  },
};

const notifications: ProcessorWords['notifications'] = {
  title: 'Notificaciones del procesador',
  notices: {
    set: 'Secreto guardado. Se aceptan las notificaciones',
    removed: 'Secreto eliminado. Ya no se aceptan notificaciones',
  },
  about: (docs) => (
    <>
      El procesador avisa a Ringkey de los pagos pendientes, de las disputas y de los reembolsos, capturas y anulaciones
      hechos en su propio panel. {docs('Las notificaciones en la documentación')}
    </>
  ),
  back: 'Volver al comercio',
  connectFirst: 'Conecte primero un procesador',
  cannot: (processor) => `${processor} no envía notificaciones que se puedan verificar`,
  atProcessor: 'En el procesador',
  facts: {
    processor: 'Procesador',
    where: 'Dónde',
    url: 'URL',
    events: 'Eventos',
    status: 'Estado',
    former: 'El secreto anterior se acepta hasta',
  },
  noUrl: 'Configure primero RINGKEY_PUBLIC_URL.',
  copyUrl: 'Copiar la URL',
  secret: 'Secreto',
  set: 'Configurado',
  notSet: 'Sin configurar',
  save: 'Guardar secreto',
  replace: 'Sustituir secreto',
  remove: 'Eliminar secreto',
  label: 'Secreto del procesador',
  currentStays: 'El actual se acepta durante 24 horas más.',
  places: {
    stripe: {
      where: 'Desarrolladores, Webhooks («Developers», «Webhooks»)',
      events: 'payment_intent.*, charge.*, refund.*, payout.*',
      secret: 'El secreto de firma del endpoint (whsec_…).',
    },
    square: {
      where: '«Developer Console», «Webhooks», «Subscriptions»',
      events: 'payment.*, refund.*, dispute.*, payout.*',
      secret: 'La clave de firma de la suscripción («Signature key»).',
    },
    authorizenet: {
      where: '«Account», «Webhooks»',
      events: 'Todos los de net.authorize.payment',
      secret: 'La clave de firma de la cuenta, 128 cifras hexadecimales.',
    },
    checkoutcom: {
      where: 'Un flujo de trabajo con una acción de webhook',
      events: 'Todos los eventos de pagos y disputas',
      secret: 'La clave de firma que escriba allí.',
    },
    hyperswitch: {
      where: '«Control Center», «Developers», «Payment settings»',
      events: 'Todos',
      secret: 'La «Payment response hash key» del perfil.',
    },
    adyen: {
      where: '«Developers», «Webhooks», «Standard webhook»',
      events:
        'Los eventos predeterminados, EXPIRE, TECHNICAL_CANCEL, REFUNDED_REVERSED, REPORT_AVAILABLE (liquidaciones) y todos los de disputas',
      secret: 'La clave HMAC, 64 cifras hexadecimales.',
    },
    braintree: {
      where: '«Control Panel», «Settings», «API», «Webhooks»',
      events: 'Todos los de disputas y los reembolsos fallidos',
      secret: 'La clave privada con la que está conectado Braintree, 32 cifras hexadecimales.',
    },
    worldpay: {
      where: 'Pida a su «Implementation Manager» que añada la URL y active la cabecera Event-Signature',
      events: 'Todos los eventos de pagos',
      secret: 'El secreto compartido que le entreguen.',
    },
  },
};

const proof: ProcessorWords['proof'] = {
  title: 'Cobro de prueba',
  connected: 'Procesador conectado. Ahora haga un cobro de prueba',
  theProcessor: 'El procesador',
  nothingCharged: 'No se ha cobrado nada',
  about: (amount, processor, card) => (
    <>
      Cobra {amount} con {processor} en una tarjeta de prueba publicada ({card}), como si un llamante la hubiera
      tecleado, y lo reembolsa. No se mueve dinero real.
    </>
  ),
  placeCall: 'Hacer una llamada de prueba',
  done: 'Listo',
  back: 'Volver al comercio',
  make: 'Hacer un cobro de prueba',
  makeAnother: 'Hacer otro cobro de prueba',
  checkoutCreated: (amount) => `Sesión de pago creada por ${amount}`,
  reference: (id) => <>Referencia del procesador: {id}</>,
  notAboutCard: (processor) =>
    `${processor} rechazó el cobro por la cuenta del comercio, sus credenciales o la solicitud, no por la tarjeta.`,
  code: (code) => <>Código del procesador: {code}</>,
  reports: (processor) => `Qué indica ${processor}`,
  charge: 'Ver el cobro',
  charged: (processor) => `${processor}: cobro de prueba completado`,
  chargedIn: (processor, duration) => `${processor}: cobro de prueba completado en ${duration}`,
  underASecond: 'menos de un segundo',
  verdict: {
    open: (count) =>
      plural(count, {
        one: 'El cobro de prueba ha funcionado. Queda # requisito pendiente, indicado arriba',
        other: 'El cobro de prueba ha funcionado. Quedan # requisitos pendientes, indicados arriba',
      }),
    works: (processor, amount) => `Funciona: ${processor} ha cobrado y reembolsado ${amount}`,
    charges: (processor, amount) => `Funciona: ${processor} ha cobrado ${amount}, sin reembolso`,
    pending: (processor, amount) => `Funciona: ${processor} ha cobrado ${amount}. El reembolso está pendiente`,
    failsMore: (processor) => `Corrija la causa en ${processor} y haga otro cobro de prueba.`,
    unknown: (processor) => `Aún no se sabe: ${processor} no ha confirmado el cobro`,
    fails: (processor) => `Aún no funciona: ${processor} no ha cobrado nada`,
  },
  notCharged: (processor) => `${processor}: cobro de prueba no realizado`,
  notConfirmed: (processor) => `${processor}: resultado del cobro sin confirmar`,
  keepsLooking: 'Ringkey sigue consultándolo. Recargue esta página dentro de un minuto.',
  refunded: 'Reembolsado',
  refundSent: (processor) => `${processor}: reembolso enviado, aún sin confirmar`,
  refundLater: 'Algunos procesadores lo confirman más tarde. Recargue esta página dentro de un minuto.',
  notRefunded: 'Sin reembolsar',
  cannotRefund: (processor, charge) => (
    <>
      Ringkey no puede reembolsar pagos en {processor}. El cobro de prueba permanece en su entorno de pruebas. Cobro:{' '}
      {charge}
    </>
  ),
  refundRefused: (processor, charge) => (
    <>
      {processor} ha rechazado el reembolso. Cobro: {charge}
    </>
  ),
  noCard: {
    connectFirst: 'Conecte primero un procesador.',
    pageOnly:
      'Este procesador solo acepta tarjetas en la página de pago. Haga una llamada de prueba y pague con el enlace que llega por SMS.',
    noneKnown: 'Este procesador no publica ninguna tarjeta de prueba.',
  },
  testModeOnly: 'Los cobros de prueba solo existen en modo de prueba.',
  refusals: {
    notMade: 'El cobro no se ha hecho.',
    nothingToPay: 'La política de pago del comercio no exige ningún pago por este importe.',
    limit:
      'Aquí han fallado demasiados cobros hace poco, y los límites contra la prueba masiva de tarjetas rechazan este. Inténtelo de nuevo dentro de una hora.',
    credentials: 'Las credenciales del comercio no se pueden usar. Conecte el procesador de nuevo.',
    unavailable: 'La base de datos no ha respondido a tiempo. Inténtelo de nuevo.',
    other: (reason) => `El cobro se ha rechazado (${reason}).`,
  },
};

export const es: ProcessorWords = {
  steps: 'Pasos',
  step: {
    choose: 'Elegir el procesador',
    credentials: 'Introducir sus credenciales',
    test: 'Hacer un cobro de prueba',
  },
  connect: 'Conectar procesador',
  connectTo: (processor) => `Conectar ${processor}`,
  processors: 'Procesadores',
  kinds,
  optional: (label) => `${label} (opcional)`,
  otherProcessors: 'Otros procesadores',
  mustBegin: (label, prefixes) => `«${label}» debe empezar por ${prefixes.join(' o ')}.`,
  wrongForm: (label, processor, mode) =>
    `«${label}» no tiene el formato que usa ${processor} en modo ${mode === 'test' ? 'de prueba' : 'real'}. Cópielo de nuevo.`,
  isMissing: (label) => `Falta «${label}».`,
  connectErrors: {
    invalid_credentials: (processor) =>
      `${processor} ha rechazado estas credenciales. Compruebe que son de este modo y de una misma cuenta, y cópielas de nuevo.`,
    vendor_not_provisioned: (processor) =>
      `${processor} acepta estas credenciales, pero la cuenta aún no puede cobrar. Complete su configuración en ${processor} y conéctela de nuevo.`,
    processor_unavailable: (processor) =>
      `No se ha podido contactar con ${processor} para probar estas credenciales. Inténtelo de nuevo dentro de un minuto.`,
  },
  notificationSecret: 'Secreto de sus notificaciones (opcional)',
  notificationSecretHint: 'Si lo deja vacío, se conserva el anterior.',
  notificationSecretFault:
    'Un secreto de notificaciones tiene de 10 a 250 caracteres: letras, cifras y símbolos, sin espacios. Cópielo de nuevo.',
  replaces: 'Sustituye al procesador actual desde el próximo cobro.',
  notifications,
  proof,
};
