/** Spanish words of alerts. */
import type { AlertWords } from './en.tsx';

const MODES = { test: 'modo de prueba', live: 'modo real' };

export const es: AlertWords = {
  title: 'Alertas',
  lead: 'Mensajes para su equipo sobre lo que hay que resolver. Cada usuario también puede activar las suyas en «Sus alertas».',
  label: 'Destinos de las alertas, los más recientes primero',
  add: 'Añadir alerta',
  heads: { to: 'Para', channel: 'Canal', last: 'Último mensaje', added: 'Añadida' },
  channels: { email: 'Correo', slack: 'Slack' },
  empty: {
    title: 'Aún no hay alertas',
    text: 'Añada una dirección de correo o un canal de Slack. Ahí se enviará un mensaje sobre cada problema y, si lo desea, un resumen diario y un informe mensual.',
  },
  address: 'Dirección',
  settings: 'Configuración',
  save: 'Guardar',
  fields: {
    email: 'Correo electrónico',
    emailHint: 'O la URL de un canal de Slack, más abajo.',
    slack: 'URL de webhook de Slack',
    slackHint:
      'En Slack, añada una app con webhooks entrantes y copie la URL del canal. Se guarda cifrada y no vuelve a mostrarse.',
    name: 'Nombre',
    nameHint: 'Por ejemplo, #pagos.',
    topics: 'Problemas',
    urgent: 'Solo problemas urgentes',
    urgentHint: 'Los llamantes no pueden pagar, o un pago se confirmó con retraso, se hizo dos veces o se perdió.',
    zoneHint: 'Por ejemplo, Europe/Madrid.',
    quietFrom: 'Horas de silencio desde',
    quietHint: 'En las horas de silencio solo se notifican los problemas urgentes.',
    quietUntil: 'Horas de silencio hasta',
    noQuiet: 'Sin horas de silencio',
    summary: 'Resumen diario a las',
    noSummary: 'Sin resumen',
    ifEmpty: 'Enviar también el resumen de los días sin actividad',
    reports: 'Informe mensual',
    reportsHint: 'Se envía el primer día de cada mes, a la hora del resumen o a las 08:00.',
  },
  topics: {
    payments: 'Pagos: por resolver, confirmados con retraso o duplicados, fallidos más tarde, en disputa',
    processors: 'Procesadores: rechazan cobros o responden con lentitud, baja tasa de éxito',
    deliveries: 'Entregas: webhooks, SMS, correos y alertas',
    keys: 'Claves de API y certificados: a punto de caducar o caducados',
    service: 'Servicio: límites al 80 %, faltan workers, procesos de telefonía o servidores de medios y SIP',
  },
  notices: {
    added: 'Alerta añadida. Compruébela con un mensaje de prueba',
    changed: 'Guardado',
    tested: 'Mensaje de prueba enviado. Su resultado aparecerá abajo en un momento',
    removed: 'Alertas desactivadas',
  },
  remove: {
    title: 'Eliminar',
    about: 'No se enviarán más mensajes y se borrará la dirección.',
    submit: 'Eliminar alerta',
  },
  lastMessage: {
    none: 'Aún no hay ninguno',
    of: (message, at) => (
      <>
        {message}, {at}
      </>
    ),
    code: (code) => `código ${code}`,
    again: ', se enviará de nuevo',
  },
  statuses: { waiting: 'En espera', sent: 'Enviado', failed: 'Fallido' },
  messages: { alert: 'Alerta', summary: 'Resumen', report: 'Informe', test: 'Prueba' },
  failures: {
    timeout: 'sin respuesta a tiempo',
    connection: 'sin conexión',
    forbidden_address: 'no es una dirección pública',
    not_configured: 'no hay servidor de correo configurado',
  },
  test: {
    title: 'Prueba',
    about: 'El mensaje llega en unos segundos, o esta página muestra por qué no.',
    send: 'Enviar mensaje de prueba',
  },
  own: {
    title: 'Sus alertas',
    lead: (email, mode) => (
      <>
        Correos a {email} sobre lo que hay que resolver en {MODES[mode]}.
      </>
    ),
    turnOn: 'Activar alertas',
    off: 'Desactivar',
    offAbout: (mode) => `No recibirá más alertas en ${MODES[mode]}.`,
    turnOff: 'Desactivar alertas',
  },
};
