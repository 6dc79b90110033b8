/** Spanish words of attention items. */
import type { LimitName } from '../../domain/account-limits.ts';
import {
  type AttentionLanguage,
  type AttentionTexts,
  type LimitTexts,
  numbersIn,
  type ShownFacts,
} from './language.ts';

const number = numbersIn('es');
const sum = ({ amount }: ShownFacts) => amount ?? 'importe desconocido';
const at = ({ merchant }: ShownFacts) => (merchant === null ? '' : ` en ${merchant}`);
const charges = (count: number) => (count === 1 ? '1 cobro' : `${number(count)} cobros`);
const inPeriod = ({ period }: ShownFacts) => (period === null ? '' : `${period}: `);
const reasons = (facts: ShownFacts) => (facts.reasons === null ? '' : `. Motivos más frecuentes: ${facts.reasons}`);

const CHECK_FAILURES =
  'Compruebe por qué fallan los cobros. Muchos intentos con una tarjeta o desde un número pueden indicar que se están probando tarjetas robadas.';
const RAISE = 'Si necesita más, pida al operador que aumente el límite.';

const LIMITS: Readonly<Record<LimitName, LimitTexts>> = {
  calls: {
    what: 'Llamadas en curso',
    atLimit: 'Al llegar al límite, se rechazan las llamadas nuevas a la línea de pago.',
    advice: `${RAISE} Si no, compruebe si un agente transfiere llamadas una y otra vez.`,
  },
  lookups_hour: {
    what: 'Consultas de números de la última hora',
    atLimit: 'Al llegar al límite, no se consultan los números de los llamantes.',
    advice: RAISE,
  },
  lookups_day: {
    what: 'Consultas de números de las últimas 24 horas',
    atLimit: 'Al llegar al límite, no se consultan los números de los llamantes.',
    advice: RAISE,
  },
  keys: {
    what: 'Claves de API',
    atLimit: 'Al llegar al límite, no se pueden crear claves.',
    advice: 'Revoque las claves que ya no se usan.',
  },
  webhook_endpoints: {
    what: 'Endpoints de webhook',
    atLimit: 'Al llegar al límite, no se pueden añadir endpoints.',
    advice: 'Elimine los endpoints que ya no se usan.',
  },
  alert_targets: {
    what: 'Destinos de alertas',
    atLimit: 'Al llegar al límite, no se pueden añadir alertas.',
    advice: 'Elimine las alertas que ya nadie lee.',
  },
  users: {
    what: 'Usuarios',
    atLimit: 'Al llegar al límite, no se puede invitar a más usuarios.',
    advice: 'Elimine a los usuarios que se han marchado.',
  },
  process_calls: {
    what: 'Llamadas en curso de un proceso',
    atLimit: 'Al llegar al límite, rechaza las llamadas nuevas.',
    advice: 'Pida al operador del servicio que inicie otro proceso con el rol phone o que aumente el límite.',
  },
  database_connections: {
    what: 'Conexiones a la base de datos',
    atLimit: 'Al llegar al límite, los procesos no pueden conectarse, y fallan solicitudes y llamadas.',
    advice:
      'Pida al operador del servicio que aumente el límite de PostgreSQL (`max_connections`), el de la base de datos o el del rol, o que ponga delante un gestor de conexiones.',
  },
  process_load: {
    what: 'Carga de un proceso de telefonía',
    title: 'Un proceso de telefonía está cerca de su límite de carga',
    used: (count) => `En el último minuto, su carga fue del ${number(count)}\u00a0% del límite.`,
    atLimit: 'Por encima del límite, rechaza las llamadas nuevas.',
    advice:
      'Pida al operador del servicio que inicie otro proceso con el rol phone y que compruebe si los servidores de medios o PostgreSQL responden despacio.',
  },
  speech: {
    what: 'Voz generada',
    title: 'Voz generada: cerca del límite de la cuenta',
    used: () => 'En la última hora, un proceso ha generado al menos el 80\u00a0% de la voz permitida en una hora.',
    atLimit:
      'Al llegar al límite, suenan grabaciones en lugar de las frases personalizadas y los nombres de los comercios.',
    advice:
      'Si sus llamantes necesitan más, pida al operador que aumente el límite. Si no, compruebe si un programa crea sesiones de pago con textos siempre nuevos.',
  },
};

function certificate({ name, isOver, ...facts }: ShownFacts, ends: (day: string) => string): AttentionTexts {
  const day = facts.day ?? 'día desconocido';
  return {
    title: isOver ? `El certificado de ${name} caducó el ${day}` : `El certificado de ${name} ${ends(day)}`,
    detail: isOver
      ? 'Los navegadores, las plataformas de voz y los trunks se niegan a conectarse.'
      : 'Después, los navegadores, las plataformas de voz y los trunks se negarán a conectarse.',
    advice:
      'Pida al operador del servicio que lo renueve y que recargue el servidor que lo presenta. Ringkey vuelve a leerlo cada hora.',
  };
}

const lastFailure = ({ statusCode, failure }: ShownFacts) => {
  if (statusCode !== null) return `, el último con el código ${statusCode}`;
  return failure === null ? '' : `: ${failure}`;
};

const items: AttentionLanguage['items'] = {
  charge_to_settle: (facts) => ({
    title: `Cobro de ${sum(facts)}${at(facts)} sin resultado`,
    detail: 'El procesador no ha comunicado el resultado, y Ringkey ya no lo consulta.',
    advice: 'Busque el cobro en el panel del procesador y resuélvalo.',
  }),
  refund_to_settle: (facts) => ({
    title: `Reembolso de ${sum(facts)}${at(facts)} sin resultado`,
    detail: 'El procesador no ha comunicado el resultado, y Ringkey ya no lo consulta.',
    advice: 'Busque el reembolso en el panel del procesador y resuélvalo.',
  }),
  hold_change_to_settle: (facts) =>
    facts.name === 'void'
      ? {
          title: `Anulación de la retención de ${sum(facts)}${at(facts)} sin resultado`,
          detail:
            'El procesador no ha comunicado si ha anulado la retención, y Ringkey ya no lo consulta. Mientras no haya resultado, la retención no se puede modificar aquí.',
          advice:
            'Repita la anulación: Ringkey consultará antes el resultado. Si sigue sin haberlo, consulte el panel del procesador.',
        }
      : {
          title: `Captura de ${sum(facts)}${at(facts)} sin resultado`,
          detail:
            'El procesador no ha comunicado si ha capturado el importe retenido, y Ringkey ya no lo consulta. Mientras no haya resultado, la retención no se puede modificar aquí.',
          advice:
            'Repita la captura: Ringkey consultará antes el resultado. Si sigue sin haberlo, consulte el panel del procesador.',
        },
  late_charge: (facts) =>
    facts.isDuplicate
      ? {
          title: `Pago de ${sum(facts)}${at(facts)} quizá cobrado dos veces`,
          detail:
            'El cobro se comunicó como fallido, pero el procesador sí cobró en la tarjeta. El mismo pedido se pagó con otro cobro.',
          advice: 'Compare los dos cobros y reembolse uno de ellos.',
        }
      : {
          title: `Pago de ${sum(facts)}${at(facts)} confirmado con retraso`,
          detail:
            'El cobro se comunicó como fallido, pero el procesador sí cobró en la tarjeta. El llamante pudo haber oído que no se cobró nada.',
          advice: 'Entregue el pedido o reembolse el cobro.',
        },
  refund_failed_late: (facts) => ({
    title: `El reembolso de ${sum(facts)}${at(facts)} ha fallado`,
    detail: `Se había completado. ${facts.processor} comunica ahora que el banco del pagador no lo aceptó. El pagador no ha recibido el dinero.`,
    advice: 'Reembolse el cobro de nuevo o acuerde otra vía con el pagador.',
  }),
  capture_failed: (facts) => ({
    title: `No se pudo capturar el pago de ${sum(facts)}${at(facts)}`,
    detail: `El cobro se había completado. ${facts.processor} comunica ahora que la captura ha fallado. No se ha cobrado nada.`,
    advice: 'No entregue el pedido y solicite el pago de nuevo.',
  }),
  debit_returned: (facts) => {
    const code = facts.returnCode === null ? '' : ` (${facts.returnCode})`;
    return {
      title: `Débito bancario de ${sum(facts)}${at(facts)} devuelto`,
      detail: facts.wasRefunded
        ? `El banco lo devolvió${code} después de pagarlo, y usted ya lo había reembolsado. El pagador puede haber recibido el dinero dos veces.`
        : `El banco lo devolvió${code} después de pagarlo. El pedido vuelve a constar como no pagado.`,
      advice:
        'Pida otro pago al pagador. No vuelva a hacer un débito en la cuenta sin una autorización nueva, y nunca después de que el pagador haya impugnado el débito (R05, R07, R10, R29).',
    };
  },
  processor_differs: (facts) => {
    const advice = 'Compare el cobro con el panel del procesador.';
    if (facts.name === 'capture') {
      return {
        title: `Pago de ${sum(facts)}${at(facts)} reembolsado, pero no capturado`,
        detail: `${facts.processor} comunica que la captura del cobro ha fallado. Usted había reembolsado el cobro, así que el pagador puede haber recibido dinero que nunca se cobró. El cobro queda como está.`,
        advice,
      };
    }
    const what = facts.amount === null ? 'Un reembolso' : `Un reembolso de ${facts.amount}`;
    return {
      title: `${what}${at(facts)} no está registrado`,
      detail: `${facts.processor} comunica un reembolso que no encaja con el cobro: supera el importe restante, está en otra moneda o su ID ya existe. Aquí no se cuenta.`,
      advice,
    };
  },
  dispute_to_answer: (facts) => {
    const until = facts.day === null ? '' : ` a más tardar el ${facts.day}`;
    const advice = 'Envíe pruebas en el panel del procesador o acepte allí la disputa.';
    return facts.name === 'inquiry'
      ? {
          title: `Responda a la consulta sobre ${facts.amount ?? 'un pago'}${at(facts)}${until}`,
          detail: 'El banco del pagador pregunta por el pago. Sin respuesta, puede recuperar el importe.',
          advice,
        }
      : {
          title: `Responda a la disputa de ${sum(facts)}${at(facts)}${until}`,
          detail: 'El banco del pagador disputa el pago. Sin respuesta, el importe se queda con el pagador.',
          advice,
        };
  },
  processor_refusing: (facts) => ({
    title: `${facts.processor} rechaza cobros${at(facts)}`,
    detail: `${inPeriod(facts)}${number(facts.count)} de ${charges(facts.of)} fallaron por un motivo ajeno a la tarjeta o aún no tienen respuesta.`,
    advice:
      'Consulte la página de estado del procesador y revise las credenciales del comercio y su cuenta en ese procesador.',
  }),
  processor_slow: (facts) => ({
    title: `${facts.processor} responde con lentitud${at(facts)}`,
    detail: `${inPeriod(facts)}${number(facts.seconds)} segundos o más en la mitad de los cobros. Los llamantes esperan en la línea.`,
    advice: 'Consulte la página de estado del procesador.',
  }),
  success_rate_low: (facts) => ({
    title: `Falla el ${facts.failed} de los cobros${at(facts)}, cuando lo habitual es el ${facts.usuallyFailed}`,
    detail: `${inPeriod(facts)}${number(facts.count)} de ${charges(facts.of)} fallaron${reasons(facts)}. En los siete días anteriores a hoy falló el ${facts.usuallyFailed}.`,
    advice: CHECK_FAILURES,
  }),
  success_rate_low_for_days: (facts) => ({
    title: `En ${facts.days === 1 ? 'un día' : `${facts.days} días`} falló el ${facts.failed} de los cobros${at(facts)}, cuando lo habitual es el ${facts.usuallyFailed}`,
    detail: `${inPeriod(facts)}${number(facts.count)} de ${charges(facts.of)} fallaron${reasons(facts)}. En las cuatro semanas anteriores${facts.usualUntil === null ? '' : ` al ${facts.usualUntil} (UTC)`} falló el ${facts.usuallyFailed}.`,
    advice: CHECK_FAILURES,
  }),
  endpoint_failing: (facts) => ({
    title: `El endpoint de webhook ${facts.name} está fallando`,
    detail: `Al menos los últimos ${number(facts.count)} intentos fallaron${lastFailure(facts)}. Ringkey reintenta cada evento durante tres días.`,
    advice: 'Compruebe las respuestas del endpoint y corríjalo. Puede reenviar los eventos que no recibió.',
  }),
  event_unsent: (facts) => ({
    title: `El evento ${facts.name} no se ha enviado`,
    detail: 'No se pudo crear su contenido, así que ningún endpoint lo ha recibido.',
    advice: 'Reenvíe el evento. Si vuelve a fallar, comuníquelo con el ID del evento.',
  }),
  texts_undelivered: (facts) => ({
    title: facts.count === 1 ? '1 SMS no se ha entregado' : `${number(facts.count)} SMS no se han entregado`,
    detail: `${inPeriod(facts)}${number(facts.count)} de ${number(facts.of)} sin entregar. A los llamantes puede faltarles un enlace de pago o un recibo.`,
    advice: 'Compruebe en la lista el código de error del operador móvil de cada SMS.',
  }),
  texts_near_limit: () => ({
    title: 'Los SMS están cerca del límite de la cuenta',
    detail:
      'Se ha usado al menos el 80\u00a0% del límite por hora o por día. Al llegar al límite, no se envían enlaces de pago.',
    advice:
      'Si sus llamantes pidieron estos SMS, pida al operador que aumente el límite. Si no, renueve sus claves de API.',
  }),
  emails_undelivered: (facts) => ({
    title:
      facts.count === 1
        ? '1 recibo por correo no se ha entregado'
        : `${number(facts.count)} recibos por correo no se han entregado`,
    detail: `${inPeriod(facts)}${number(facts.count)} de ${number(facts.of)} sin entregar. El servidor de correo los rechazó, o no hay ninguno configurado.`,
    advice: 'Compruebe la configuración del servidor de correo y, en la lista, el código de error de cada correo.',
  }),
  alerts_undelivered: ({ name, count }) => ({
    title: `Las alertas a ${name} no se entregan`,
    detail: `Los últimos ${number(count)} intentos fallaron.`,
    advice: 'Compruebe la dirección o la app de Slack y envíe un mensaje de prueba.',
  }),
  key_expiring: ({ name, isOver, ...facts }) => {
    const day = facts.day ?? 'día desconocido';
    return isOver
      ? {
          title: `La clave de API ${name} ha caducado`,
          detail: `Desde el ${day}, las solicitudes con esta clave se rechazan.`,
          advice: 'Cree otra clave si esta aún se usaba. Si no, revóquela.',
        }
      : {
          title: `La clave de API ${name} caduca el ${day}`,
          detail: 'Después, las solicitudes con esta clave se rechazarán.',
          advice: 'Cree otra clave y sustituya esta en todos los sitios donde se usa.',
        };
  },
  limit_near: ({ limit, isOfService, count, of }) => {
    const { what, title, used, atLimit, advice } = LIMITS[limit];
    return {
      title: title ?? `${what}: cerca del límite ${isOfService ? 'del servicio' : 'de la cuenta'}`,
      detail: `${used?.(count) ?? `En uso: ${number(count)} de ${number(of)}.`} ${atLimit}`,
      advice,
    };
  },
  key_near_limit: ({ name }) => ({
    title: `La clave de API ${name} está cerca de su límite de solicitudes`,
    detail:
      'En los últimos 15 minutos ha llegado a usar al menos el 80\u00a0% de las solicitudes permitidas en dos segundos. Las que superan el límite reciben 429.',
    advice:
      'Reparta las solicitudes, use una clave por programa y espere a los webhooks en lugar de consultar una y otra vez.',
  }),
  certificate_expiring: (facts) => certificate(facts, (day) => `caduca el ${day}`),
  certificate_ending: (facts) => certificate(facts, (day) => `debe renovarse antes del ${day}`),
  media_server_missing: ({ count, of }) => ({
    title: count === 1 ? 'Falta 1 servidor de medios' : `Faltan ${number(count)} servidores de medios`,
    detail:
      count < of
        ? `Debería haber ${number(of)}. Las llamadas usan los demás. Si no queda ninguno, se rechazan.`
        : `Debería haber ${number(of)}. Sin ninguno, se rechazan las llamadas.`,
    advice:
      'Pida al operador del servicio que reinicie el servidor o que lo retire del servicio. «ringkey media list» muestra los servidores.',
  }),
  sip_server_missing: ({ count }) => ({
    title: count === 1 ? 'Falta 1 servidor SIP' : `Faltan ${number(count)} servidores SIP`,
    detail:
      'Un proceso de telefonía lleva un minuto sin conexión con él. Las llamadas usan los demás, si los hay. Si no, fallan.',
    advice: 'Pida al operador del servicio que reinicie el servidor o que compruebe la red.',
  }),
  phone_missing: () => ({
    title: 'Ningún proceso acepta llamadas',
    detail: 'No se ejecuta ningún proceso con el rol phone, así que fallan las llamadas a la línea de pago.',
    advice: 'Pida al operador del servicio que inicie uno y averigüe por qué no se ejecuta ninguno.',
  }),
  worker_missing: () => ({
    title: 'No se ejecuta ningún worker',
    detail: 'Los webhooks, los SMS y la resolución de los cobros pendientes esperan hasta que se ejecute uno.',
    advice: 'Pida al operador del servicio que inicie un proceso con el rol worker.',
  }),
};

export const es: AttentionLanguage = {
  numbers: 'es',
  days: 'es',
  payConnector: 'El conector de pago',
  someProcessor: 'El procesador',
  items,
};
