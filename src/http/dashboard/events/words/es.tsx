/** Spanish words of the events' pages. */
import { plural } from '../../words/formats.ts';
import type { EventWords } from './en.tsx';

export const es: EventWords = {
  title: 'Eventos',
  lead: 'Los eventos se envían a sus endpoints de webhook.',
  label: 'Eventos, los más recientes primero',
  kind: 'Evento',
  titleOf: (type) => `Evento ${type}`,
  totals: 'Totales de estos eventos',
  counted: (events) => plural(events, { one: '# evento', other: '# eventos' }),
  filters: { type: 'Tipo', delivery: 'Entrega', endpoint: 'Endpoint de webhook', checkout: 'Sesión de pago' },
  heads: { type: 'Tipo', object: 'Objeto', sequence: 'Secuencia', created: 'Creación' },
  empty: {
    title: 'Aún no hay eventos',
    text: 'Cada pago, fallo, caducidad y reembolso crea un evento, que se envía a sus endpoints de webhook.',
    action: 'Eventos y webhooks',
  },
  resend: 'Reenviar',
  resent: {
    title: 'El evento se está reenviando',
    text: 'Se envía a todos los endpoints que ahora están suscritos a su tipo, con el mismo ID y el mismo contenido.',
    textToOne: 'Se envía solo a este endpoint, con el mismo ID y el mismo contenido.',
  },
  data: 'Datos del evento',
  dataLabel: 'El evento',
  broken: {
    title: 'Este evento no se puede mostrar ni entregar',
    text: 'Lo impide un error interno. El evento se entregará en cuanto se corrija el error.',
  },
  facts: {
    created: 'Creación',
    sequence: 'Secuencia',
    outcome: 'Resultado',
    checkout: 'Sesión de pago',
    refund: 'Reembolso',
  },
  deliveries: {
    title: 'Entregas',
    resendTo: (endpoint) => `Reenviar a ${endpoint}`,
    none: 'Sin entregas: ningún endpoint está suscrito a este evento.',
    label: 'Entregas de este evento',
    heads: {
      endpoint: 'Endpoint de webhook',
      status: 'Estado',
      response: 'Respuesta',
      attempts: 'Intentos',
      lastAttempt: 'Último intento',
    },
    failing: (time) => <>El endpoint está fallando; próximo intento: {time}</>,
    notYet: 'Aún no',
  },
  attempts: {
    title: 'Intentos',
    label: 'Intentos de entregar este evento, los más recientes primero',
    none: 'Sin intentos en los últimos 30 días.',
    kind: (attempt) => `Intento ${attempt}`,
    what: (host, status, reasons, ms) => (
      <>
        a {host}: {status}
        {reasons} tras {ms}
      </>
    ),
    statusCode: (code) => `código ${code}`,
    details: 'Respuesta y firma',
    noResponse: 'Sin respuesta.',
    withoutBody: 'La respuesta no tenía contenido.',
    body: 'Contenido de la respuesta, hasta 1024 bytes:',
    headers: 'Cabeceras firmadas:',
  },
};
