/** Spanish words of the webhook endpoints' pages. */
import { numberText, plural } from '../../words/formats.ts';
import type { EndpointWords } from './en.tsx';

const failed = (count: number) => plural(count, { one: '# fallido', other: '# fallidos' });

export const es: EndpointWords = {
  list: {
    title: 'Endpoints de webhook',
    lead: 'Ringkey envía cada resultado a sus endpoints en una solicitud firmada, sea cual sea el final de la llamada.',
    label: 'Endpoints de webhook, los más recientes primero',
    add: 'Añadir endpoint',
    addTitle: 'Añadir endpoint de webhook',
    heads: {
      url: 'Dirección',
      types: 'Tipos de evento',
      status: 'Estado',
      lastDay: 'Entregado, últimas 24 h',
      lastDayShort: 'Últimas 24 h',
      added: 'Añadido',
    },
    lastDay: (share, attempts) => `${share} de ${numberText(attempts)}`,
    lastAttempt: (answer) => `Último intento: ${answer}`,
    failedDeliveries: 'Entregas fallidas',
    failedOf: (failed, endpoint) => `${failed} a ${endpoint}`,
    empty: {
      title: 'Aún no hay endpoints de webhook',
      text: 'Añada la URL de un servidor que deba recibir los eventos de pago. Las llamadas funcionan sin endpoint, pero el webhook es la fuente fiable de los resultados.',
    },
  },
  enabled: 'Activado',
  failing: 'Con fallos',
  failingSince: (time) => <>desde el {time}</>,
  disabled: 'Desactivado',
  url: 'Dirección (URL)',
  urlHint: 'Una URL https accesible desde Internet.',
  types: 'Tipos de evento',
  secret: {
    added: 'Endpoint añadido',
    rolled: 'Nuevo secreto de firma',
    copyNow: 'Copie ahora el secreto de firma',
    copy: 'Copiar el secreto de firma',
    what: 'Su servidor lo usa para comprobar que los eventos vienen de Ringkey (Standard Webhooks).',
  },
  title: 'Endpoint de webhook',
  notices: {
    changed: 'Guardado',
    resent: 'Los eventos fallidos se están enviando de nuevo',
    resent_part: 'Se están enviando de nuevo 1000 eventos fallidos, los más antiguos. Hay más',
    none_failed: 'Desde entonces no ha fallado ninguna entrega',
    tested: 'Evento de prueba enviado. Su entrega aparecerá abajo en un momento',
    on: 'Endpoint activado',
    off: 'Endpoint desactivado',
  },
  lastFailed: (response) => `El último intento falló: ${response}`,
  settings: 'Configuración',
  save: 'Guardar',
  deliveries: {
    title: 'Entregas recientes',
    none: 'Aún no hay entregas.',
    label: 'Entregas, el evento más reciente primero',
    heads: {
      event: 'Evento',
      status: 'Estado',
      response: 'Respuesta',
      attempts: 'Intentos',
      lastAttempt: 'Último intento',
    },
    notYet: 'Aún no',
    sendTest: 'Enviar evento de prueba',
  },
  roll: {
    title: 'Secreto de firma',
    text: 'El nuevo secreto se muestra una sola vez. Hasta que caduque el anterior, los eventos llevan ambas firmas.',
    submit: 'Renovar secreto',
    expires: 'El secreto anterior caduca',
  },
  state: {
    titleOn: 'Desactivar o eliminar',
    titleOff: 'Activar endpoint',
    text: 'Un endpoint desactivado no recibe eventos. Al eliminarlo se eliminan también su secreto y sus entregas.',
    enable: 'Activar',
    disable: 'Desactivar',
    remove: 'Eliminar endpoint',
  },
  health: {
    title: 'Estado del endpoint',
    summary: (attempts, failures) =>
      plural(attempts, {
        one: `# intento en los últimos 7 días, ${failed(failures)}`,
        other: `# intentos en los últimos 7 días, ${failed(failures)}`,
      }),
    bars: (summary) => `${summary}. Entregados sobre la línea, fallidos debajo, por hora.`,
    byDay: 'Por día',
    label: 'Intentos por día, los más recientes primero',
    heads: { day: 'Día (UTC)', attempts: 'Intentos', failed: 'Fallidos' },
    sent: (count) => plural(count, { one: '# enviado', other: '# enviados' }),
    failed,
  },
  failedEvents: {
    title: 'Eventos fallidos',
    text: 'Todos los eventos que fallaron se pueden enviar de nuevo ahora, sin esperar sus reintentos: los más antiguos primero, con los mismos ID y contenidos.',
    submit: 'Reenviar eventos fallidos',
    next: 'Reenviar los siguientes',
    label: 'Fallidos',
  },
  failedSince: {
    '1': 'En la última hora',
    '24': 'En las últimas 24 horas',
    '168': 'En los últimos 7 días',
    '720': 'En los últimos 30 días',
  },
  verify: {
    title: 'Verificar firmas',
    text: 'Su servidor comprueba la firma de cada evento con el secreto de firma de este endpoint.',
    link: 'Cómo funcionan las firmas',
  },
};
