/** Spanish words of "Try it". */
import { plural } from '../../words/formats.ts';
import type { TryWords } from './en.tsx';
import { scripts } from './scripts/es.ts';

export const es: TryWords = {
  title: 'Probar',
  lead: 'Un llamante automático llama a una sesión de pago e intenta pagar. Siga la llamada y escuche después lo que oyó el llamante.',
  notAvailable: 'Las llamadas de prueba no están disponibles en este servicio.',
  onlyInTest: 'Las llamadas de prueba solo existen en el modo de prueba.',
  ...scripts,
  form: {
    notPlaced: 'La llamada no se ha realizado',
    script: 'Qué hace el llamante',
    merchant: 'Comercio',
    noProcessor: 'sin procesador',
    card: 'Tarjeta',
    defaultCard: 'La predeterminada del guion',
    cardHint: (link) => (
      <>{link('Tarjetas de prueba')} del procesador del comercio. Algunos guiones usan siempre su propia tarjeta.</>
    ),
    amount: 'Importe',
    place: 'Hacer la llamada',
    hint: 'Un llamante automático marca, escucha y pulsa teclas como una persona. No necesita teléfono, y no se mueve dinero real.',
    at: (vendor) => `En ${vendor}`,
    cardsOf: (vendor) => `Tarjetas de prueba de ${vendor}`,
  },
  faults: {
    script: 'Elija qué hace el llamante.',
    merchant: 'Elija un comercio.',
    sandboxCard: 'Elija una tarjeta de prueba del sandbox.',
    notAt: (vendor, limit) => `No en ${vendor}: ${limit}`,
    vendorCard: (vendor) => `Elija una tarjeta de prueba de ${vendor}, el procesador del comercio.`,
    amount: (example, minimum) => `Escriba un importe como ${example}. El mínimo es ${minimum}.`,
    noTransfer: (merchant, policy, line) =>
      `${merchant} no exige pago para este importe (su política es «${policy}»), así que no hay llamada que transferir. El agente dice: «${line}»`,
    refused: {
      busy: 'Ya hay dos llamadas de prueba en curso. Espere a que termine una o cuélguela.',
      unavailable:
        'No se ha podido iniciar el llamante automático. Inténtelo de nuevo en un momento. Si sigue fallando, consulte el registro del servicio.',
    },
  },
  limits: {
    noKeypad: 'No acepta tarjetas por teclado: la línea envía el enlace de pago por SMS, y usted lo abre y paga.',
    noHolds: 'No puede retener un importe.',
    noSaving: 'Allí la línea no puede guardar una tarjeta sin un pago.',
    noDebits: 'No hace débitos bancarios.',
    noLostAnswer: 'Solo el sandbox pierde una respuesta a propósito.',
    noPostalCode: 'La línea de este comercio no pide el código postal, que allí decide el resultado.',
  },
  none: {
    live: {
      title: 'Las llamadas de prueba solo existen en el modo de prueba',
      text: 'Las llamadas de prueba usan tarjetas de prueba, que el modo real rechaza.',
      action: 'Probar en el modo de prueba',
    },
    noMerchant: {
      title: 'Una llamada de prueba necesita un comercio',
      text: 'Cree un comercio en el modo de prueba y conéctelo al sandbox.',
      action: 'Configuración',
    },
    unavailable: {
      title: 'Las llamadas de prueba no están disponibles',
      text: (setting) => (
        <>
          Este servicio usa su propio servidor SIP, al que quizá no llegue el llamante automático. Si llega, defina{' '}
          {setting}. También puede llamar al transfer_to de cualquier sesión de pago con su propio teléfono.
        </>
      ),
    },
  },
  call: {
    titleOf: (script) => `Llamada de prueba: ${script}`,
    again: {
      title: 'Este formulario ya se ha enviado',
      text: 'Esta es la llamada que realizó. Para hacer otra, elija «Nueva llamada».',
    },
    to: (merchant) => <>Llamada de prueba a {merchant}</>,
    connecting: 'Conectando',
    newCall: 'Nueva llamada',
    transcript: 'Transcripción',
    forIntegrator: 'Para la integración',
    platform: 'Su plataforma de voz',
    anyPlatform: 'Cualquiera, por SIP',
    showCode: 'Mostrar su código',
    platformHint: 'Qué pegar y cómo vuelve el resultado',
    copy: (title) => `Copiar ${title}`,
    onTheLine: 'En curso',
    dials: 'El llamante marca',
    stages: {
      greeting: 'La línea saluda al llamante',
      card_number: 'La línea pide el número de tarjeta',
      expiry: 'La línea pide la fecha de vencimiento',
      security_code: 'La línea pide el código de seguridad',
      bank_account: 'La línea pide una cuenta bancaria',
      postal_code: 'La línea pide el código postal',
      keep_card: 'La línea pregunta si se guarda la tarjeta',
      confirmation: 'La línea repite la tarjeta y pide un 1',
      paying: 'Se está cobrando en la tarjeta',
      by_link: 'La línea ha enviado el enlace y espera',
      waiting: 'La línea espera el pago',
      leaving: 'La línea dice el resultado',
      returning: 'El llamante vuelve al agente',
      ended: 'La llamada ha terminado',
    },
    hangUp: 'Colgar',
    failed:
      'El proceso del llamante automático terminó antes que su llamada. El servicio sigue en marcha, y su registro contiene el código de salida.',
    heard: 'Lo que oyó el llamante',
    links: { call: 'La llamada, paso a paso', charge: 'El cobro', checkout: 'La sesión de pago' },
    events: 'Eventos de webhook',
    bodyOf: (type) => `Contenido de ${type}`,
    event: 'El evento',
    headers: 'Cabeceras para el agente',
    badges: {
      interrupted: 'Interrumpida',
      saved: 'Tarjeta guardada',
      paid: 'Pagado',
      held: 'Retenido',
      pending: 'Pendiente',
      declined: 'Rechazado',
      notSaved: 'No guardada',
      unpaid: 'Sin pagar',
      agent: 'De nuevo con el agente',
    },
  },
  steps: {
    label: 'Pasos de la llamada',
    who: {
      said: 'Línea',
      keyed: 'Llamante',
      agent: 'Agente',
      page: 'Página de pago',
      sip: 'SIP',
      silence: '',
      note: '',
    },
    transfers: (message, address) => (
      <>
        Dice «{message}» y transfiere la llamada a {address}
      </>
    ),
    quoted: (text) => <>«{text}»</>,
    cutShort: '(interrumpida)',
    silence: (seconds) => `${seconds} s de silencio`,
    presses: (keys) => `pulsa ${keys}`,
    entersCard: (lastFour) => `teclea un número de tarjeta que termina en ${lastFour}`,
    entersDigits: (count, keys) =>
      plural(count, { one: `teclea # cifra ${keys}`, other: `teclea # cifras ${keys}` }).trim(),
  },
  snippets: {
    create: {
      title: '1. Crear una sesión de pago',
      about: 'Lo hace la herramienta de su agente cuando el pedido está listo para el pago.',
    },
    transfer: {
      title: '2. Decir el mensaje y transferir la llamada',
      about:
        'Diga agent_message palabra por palabra. Después, transfiera a transfer_to por SIP REFER, o llame allí y una las llamadas.',
    },
    platformTransfer: (platform) => ({
      title: `2. Transferir la llamada con ${platform}`,
      about: `Diga agent_message palabra por palabra. Después, transfiera a transfer_to. La página sobre ${platform} de la documentación tiene la herramienta y lo demás.`,
    }),
    back: {
      title: '3. Recuperar al llamante',
      about:
        'La llamada vuelve a return_to con el resultado en sus cabeceras. El webhook tiene el resultado definitivo.',
    },
  },
};
