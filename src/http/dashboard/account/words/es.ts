/** Spanish words of the account's page, and of the pay page's branding. */
import type { AccountWords } from './en.ts';

const MODES = { test: 'modo de prueba', live: 'modo real' };

export const es: AccountWords = {
  title: 'Cuenta',
  saved: 'Guardado',
  save: 'Guardar',
  facts: { account: 'Cuenta', currency: 'Moneda predeterminada' },
  calls: 'Llamadas y SMS',
  callsAbout:
    'Una llamada solo vuelve a la dirección de la sesión de pago, y solo si las listas siguientes la permiten. Los SMS se envían a los países de sus comercios y a los que usted añada.',
  secret: 'Secreto de firma de las cabeceras SIP',
  secretAbout:
    'Firma el resultado en las cabeceras de las llamadas que vuelven a su agente. Un secreto nuevo sustituye al anterior de inmediato, en ambos modos. Las llamadas en curso pueden volver con cualquiera de las dos firmas.',
  roll: 'Renovar secreto',
  rolled: {
    title: 'Nuevo secreto de firma',
    copyNow: 'Copie el secreto ahora',
    copy: 'Copiar el secreto',
    what: 'La clave HMAC de la cabecera X-Ringkey-Signature.',
  },
  fields: {
    anyHost: 'Sin lista de hosts',
    anyHostHint:
      'Permite cualquier host público en modo de prueba y ninguno en modo real. Desmarque la casilla para usar la lista siguiente.',
    hosts: 'Hosts SIP permitidos (ambos modos)',
    hostsHint: 'Uno por línea: un nombre de host, *.example.com, una dirección IP o * para cualquier host público.',
    prefixes: 'Prefijos permitidos (modo real)',
    prefixesHint:
      'Uno por línea: + y cifras, como +44. Nunca se llama a números de emergencia ni de tarificación especial.',
    countries: 'Otros países para los SMS (ambos modos)',
    countriesHint:
      'Uno por línea: un código de dos letras, como MX. Los países de sus comercios siempre están permitidos. Nunca se envían SMS a números de tarificación especial ni de satélite.',
    attestation: 'URL de atestación',
    attestationHint:
      'Una URL https, solo para este modo. Ringkey le pide la atestación STIR/SHAKEN de cada llamada. Vacío: sin atestación.',
  },
  page: {
    title: 'Página de pago',
    about: (mode) =>
      `El color, los datos de contacto y los enlaces que ven los pagadores en ${MODES[mode]}, junto al nombre del comercio. Los ve cualquiera que tenga un enlace de pago.`,
    save: 'Guardar página de pago',
    preview: 'Vista previa',
    previewAll: 'Ver la página completa',
    inactive: 'El formulario de la vista previa está desactivado.',
    color: 'Color de acento',
    pickColor: 'Elegir un color',
    colorHint: '# y seis dígitos hexadecimales. Se ajusta en cada tema para que el texto sea legible. Vacío: verde.',
    colorHintOfMerchant:
      '# y seis dígitos hexadecimales. Se ajusta en cada tema para que el texto sea legible. Vacío: el de la cuenta.',
    phone: 'Teléfono de atención al cliente',
    phoneHint: 'Por ejemplo, +15550100200.',
    phoneHintOfMerchant: 'Por ejemplo, +15550100200. Vacío: el de la cuenta.',
    email: 'Correo electrónico de atención al cliente',
    terms: 'URL de las condiciones',
    privacy: 'URL de la política de privacidad',
    urlHint: 'Una URL https://. La página la enlaza.',
    wrong: {
      page_accent_color: 'Escriba un color como # y seis dígitos hexadecimales; por ejemplo, #24569b.',
      page_support_phone: 'Escriba un teléfono con + y el prefijo del país; por ejemplo, +15550100200.',
      page_support_email: 'Escriba una dirección de correo válida.',
      page_terms_url: 'Escriba una URL https://; por ejemplo, https://example.com/terms.',
      page_privacy_url: 'Escriba una URL https://; por ejemplo, https://example.com/privacy.',
    },
    pay: (amount) => `Pagar ${amount}`,
    link: 'Un enlace',
    themes: { light: 'Claro', dark: 'Oscuro' },
    adjusted: { light: 'más oscuro para que se lea bien', dark: 'más claro para que se lea bien' },
  },
};
