/** Spanish words of the merchants' pages. */
import { listText } from '../../words/formats.ts';
import type { MerchantWords } from './en.ts';

export const es: MerchantWords = {
  title: 'Comercios',
  lead: 'Quién recibe el dinero, qué dice y pregunta la línea de pago y qué procesador cobra en las tarjetas.',
  label: 'Comercios, los más recientes primero',
  add: 'Añadir comercio',
  heads: {
    name: 'Nombre',
    processor: 'Procesador',
    policy: 'Política de pago',
    currency: 'Moneda',
    added: 'Alta',
  },
  policies: { always: 'Siempre', above: 'A partir de un umbral', optional: 'Opcional', never: 'Nunca' },
  notConnected: 'Sin conectar',
  empty: {
    title: 'Aún no hay comercios',
    text: 'Cada sesión de pago pertenece a un comercio. Añada uno y, después, conecte el procesador que cobrará en las tarjetas.',
  },
  addLead: 'El resto de la configuración tiene valores predeterminados que puede cambiar más tarde.',
  addTimeZone: 'Para las horas de los SMS. Valor inicial: la zona de su navegador.',
  notices: {
    added: 'Comercio añadido. Ahora conecte su procesador',
    changed: 'Guardado. Los cambios se aplican desde la próxima llamada',
    unchanged: 'Sin cambios',
    connected: 'Procesador conectado',
  },
  ready: 'Listo para cobrar',
  notReady: 'Aún no puede cobrar',
  settings: 'Configuración',
  save: 'Guardar configuración',
  facts: { merchant: 'Comercio', header: 'Cabecera X-Ringkey-Merchant', processor: 'Procesador' },
  wallet: { unknown: 'Se desconoce', shown: 'Visible en la página de pago', notShown: 'No visible' },
  required: 'Falta para los pagos reales:',
  connect: 'Conectar procesador',
  change: 'Cambiar procesador o credenciales',
  notifications: 'Notificaciones',
  testCharge: 'Hacer un cobro de prueba',
  orderSecret: {
    title: 'Secreto de firma del origen de pedidos',
    copyNow: 'Copie ahora el secreto de firma',
    copy: 'Copiar el secreto de firma',
    what: 'Con él, su servidor de pedidos verifica las solicitudes de Ringkey.',
  },
  groups: {
    business: 'Negocio',
    voice: 'Idioma y voz',
    payments: 'Pagos',
    call: 'Durante la llamada',
    page: 'Página de pago y correos',
    orders: 'Pedidos',
  },
  fields: {
    businessName: 'Nombre del negocio',
    businessNameHint: 'Los llamantes lo oyen, y aparece en la página de pago y en los recibos.',
    currency: 'Moneda',
    language: 'Idioma',
    languageHint:
      'De la llamada, la página de pago y los SMS. La región determina el acento y la forma de escribir las fechas.',
    numbers: 'Números de teléfono',
    numbersHint:
      'Los números que marcan los llamantes, uno por línea, como +15550100201. Identifican al comercio de una llamada.',
    timeZoneHint: 'Para las horas de los SMS. Escriba una ciudad en inglés, como New York, y elija su zona.',
    secondLanguage: 'Segundo idioma',
    secondLanguageHint: 'Se ofrece en el saludo, en ese idioma: «para español, marque nueve».',
    none: 'Ninguno',
    voice: 'Voz',
    voiceHint:
      'Elija una o escriba <sintetizador>:<voz>. Vacío: la voz predeterminada del idioma. Reproduzca el saludo para oírla.',
    everyLanguage: 'Todos los idiomas',
    policy: 'Cuándo es obligatorio el pago',
    policies: {
      always: 'Siempre: cada sesión de pago debe pagarse',
      above: 'A partir de un umbral',
      optional: 'Opcional: el llamante puede pagar ahora',
      never: 'Nunca',
    },
    threshold: 'Umbral',
    thresholdHint: 'Un importe como 20,00, o 2000 en JPY y KRW. Solo se usa con «A partir de un umbral».',
    brands: 'Tarjetas aceptadas',
    tips: 'Propinas',
    tipsHint: 'En porcentaje, como 15, 18, 20. Vacío: no se ofrece propina.',
    partial: 'Pago parcial mínimo',
    partialHint:
      'En la moneda del comercio. Los llamantes y los pagadores pueden pagar una parte a partir de este importe. Vacío: solo el total.',
    bankDebit: 'Número para débitos bancarios',
    bankDebitHint:
      'Los llamantes también pueden pagar desde una cuenta bancaria de EE. UU., si la sesión de pago lo ofrece. Oyen este número por si tienen preguntas. Vacío: solo tarjetas.',
    postalCode: 'Pedir el código postal de la tarjeta',
    confirmation: 'Leer la tarjeta y el importe y esperar el 1',
    cardSaving: 'Ofrecer guardar la tarjeta',
    cardSavingHint:
      'Se pregunta una vez por llamada si el procesador lo admite. El consentimiento del llamante queda registrado.',
    textAfterDrop: 'Enviar el enlace de pago por SMS si se corta la llamada',
    textAfterDropHint:
      '20 segundos después de que se corte una llamada sin pagar, una vez por sesión de pago, salvo que el llamante vuelva a llamar.',
    returnMode: 'Método de retorno',
    returnModes: {
      default: 'El predeterminado del servicio',
      auto: 'REFER si se admite; si no, un puente',
      refer: 'REFER (SIP)',
      bridge: 'Puente',
    },
    orderSource: 'Origen de los pedidos',
    orderSources: {
      sandbox: 'Pedidos de demostración',
      none: 'Ninguno: cada sesión de pago incluye su importe',
      http: 'Su propio servidor',
    },
    orderSourceUrl: 'URL del origen de los pedidos',
    orderSourceUrlHint: 'Una URL https. Ringkey le envía solicitudes firmadas.',
  },
  preview: {
    title: 'Vista previa',
    lead: 'Un pago de 42,50 con los datos del formulario. Aún no se ha guardado nada.',
    play: 'Reproducir el saludo',
    update: 'Actualizar la vista previa',
    heard: 'Qué oyen los llamantes',
    seen: 'Qué ven los pagadores',
    page: 'Página de pago de muestra',
    openPage: 'Abrir la página de muestra',
    inactive: 'Su formulario está desactivado.',
    steps: {
      greeting: 'Saludo y número de tarjeta',
      expiry: 'Fecha de vencimiento',
      security_code: 'Código de seguridad',
      postal_code: 'Código postal',
      part: 'Pago total o parcial',
      tip: 'Propina',
      keep_card: 'Guardar la tarjeta',
      confirmation: 'Confirmación',
      one_moment: 'Mientras se cobra en la tarjeta',
      succeeded: 'Pagado',
      declined: 'Si el banco rechaza el cobro',
    },
  },
  greeting: {
    invalidLanguage: 'Escriba una etiqueta de idioma BCP 47, como en-US o fr.',
    invalidVoice:
      'Esta voz no está disponible. Escriba <sintetizador>:<voz> con un sintetizador que tenga este servicio.',
    none: 'No hay muestra disponible',
    refused: {
      no_synthesizer:
        'Este servicio no tiene sintetizador, así que los llamantes oyen grabaciones sin el nombre ni el importe. Configure RINGKEY_SYNTHESIZER para añadir uno.',
      unavailable:
        'Ningún sintetizador ha respondido a tiempo, o la cuenta ha alcanzado su límite de voz de esta hora. Mientras tanto, los llamantes oyen grabaciones.',
      busy: 'Se están generando otros saludos de esta cuenta. Inténtelo de nuevo en un momento.',
    },
    heard: (speakers) =>
      `El saludo de una sesión de pago de 42,50, tal como lo oye un llamante. Voz de ${listText(speakers)}. Sus cambios aún no se han guardado.`,
    heardOther: (speakers) =>
      `El saludo de una sesión de pago de 42,50, tal como lo oye un llamante. Voz de ${listText(speakers)}, porque el sintetizador de esta voz está fallando. Sus cambios aún no se han guardado.`,
    open: 'Abrir el archivo de audio',
  },
};
