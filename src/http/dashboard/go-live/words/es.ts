/** Spanish words of the go-live checklist. */
import type { GoLiveWords } from './en.ts';

export const es: GoLiveWords = {
  title: 'Puesta en marcha',
  inLiveMode: {
    title: 'La lista de comprobación está en modo real',
    text: 'Comprueba los comercios, las claves, los endpoints y las alertas del modo real de esta cuenta.',
    action: 'Abrir la lista de comprobación',
  },
  lead: 'Lo que necesitan los pagos reales, comprobado ahora en este servicio, esta cuenta y sus procesadores.',
  progress: (done, all) => `${done} de ${all} superadas`,
  progressLabel: (done, all) => `${done} de ${all} comprobaciones superadas`,
  allDone: 'Todo está listo',
  newestOnly: (most) =>
    `Solo se comprueban los ${most} comercios más recientes. La página de cada comercio muestra su estado.`,
  of: (merchant, message) => `${merchant}: ${message}`,
  merchantsPage: 'Comercios',
  endpointsPage: 'Endpoints de webhook',
  https: {
    title: 'Al servicio se accede por HTTPS',
    todo: 'Ponga delante del servicio un proxy con certificado y asigne a RINGKEY_PUBLIC_URL su dirección https.',
    docs: 'Operación de Ringkey',
  },
  standby: {
    title: 'PostgreSQL confirma las transacciones en una réplica síncrona',
    todo: 'Configure synchronous_standby_names para que una conmutación por error no pierda ningún pago. Si su PostgreSQL gestionado ya replica de forma síncrona, está hecho: desde SQL no se ve.',
    docs: 'Operación de Ringkey',
  },
  keys: {
    title: 'El agente de voz tiene su propia clave de modo real, con el alcance «agent»',
    todo: 'Cree una clave de modo real con el alcance «agent». Acepta pagos y no puede reembolsar ni cambiar la configuración.',
    page: 'Claves de API',
    docs: 'Claves de modo real',
  },
  merchants: {
    title: 'Todos los comercios del modo real pueden aceptar pagos',
    todo: 'Añada un comercio en modo real y conecte su procesador.',
    docs: 'Qué falta',
  },
  keypad: {
    title: 'Los procesadores aceptan pagos telefónicos (MOTO) y tarjetas tecleadas',
    todo: 'Conecte el procesador de un comercio del modo real. Ringkey lo comprobará entonces.',
    docs: 'Conectar su procesador',
  },
  notifications: {
    title: 'Los procesadores envían notificaciones a Ringkey',
    addMerchant: 'Añada primero un comercio en modo real.',
    todo: (merchant) =>
      `${merchant}: introduzca la dirección de las notificaciones en el procesador, y su secreto aquí. Así, los pagos pendientes se resuelven al momento.`,
    page: 'Notificaciones',
    docs: 'Las notificaciones en la documentación',
  },
  returns: {
    title: 'Las llamadas pueden volver a su agente, y solo a él',
    anyHost:
      'La lista de hosts permite cualquier host público (*). Indique en su lugar los hosts de su plataforma de voz.',
    todo: 'Indique los hosts SIP o los prefijos de su plataforma de voz. Sin ellos, las llamadas no pueden volver en modo real.',
    page: 'Cuenta',
    docs: 'Conectar la línea de pago',
  },
  webhook: {
    title: 'Un endpoint de webhook ha confirmado la recepción de un evento del modo real',
    add: 'Añada un endpoint de webhook en modo real y envíele un evento de prueba.',
    send: 'Envíe al endpoint un evento de prueba desde su página. Debe verificar la firma y responder con 2xx.',
    docs: 'Verificar firmas',
  },
  alerts: {
    title: 'Las alertas llegan a su equipo',
    todo: 'Añada una dirección de correo o un canal de Slack para las alertas del modo real.',
    page: 'Alertas',
    docs: 'Las alertas en la documentación',
  },
  testData: {
    title: 'El modo real no tiene datos de prueba',
    number: (merchant) => `${merchant} tiene un número de teléfono de ejemplo. Sustitúyalo.`,
    host: (host) => `Hay un endpoint de webhook en ${host}, un host de ejemplo. Elimínelo.`,
    docs: 'La puesta en marcha en la documentación',
  },
};
