/** Spanish names of the scripts of a test call, and what the caller does in each. */
import type { ScriptTexts } from './en.ts';

export const scripts: ScriptTexts = {
  groups: {
    successful: 'Pagos completados',
    unpaid: 'Sin pago',
    mistakes: 'Errores del llamante',
    failed: 'Pagos fallidos',
  },
  scripts: {
    pay: { title: 'Paga', about: 'Escucha cada pregunta, teclea la tarjeta, paga y vuelve al agente.' },
    'type-ahead': {
      title: 'Con prisa',
      about: 'Teclea tarjeta, vencimiento y código de una vez durante el saludo.',
    },
    'saved-card': {
      title: 'Tarjeta guardada',
      about: 'Pulsa 1 para pagar con una tarjeta guardada, si tiene una con el comercio.',
    },
    ach: {
      title: 'Cuenta bancaria',
      about:
        'Paga desde una cuenta bancaria y se equivoca una vez en cada número. El débito queda pendiente. Para comercios con un número para débitos bancarios.',
    },
    spanish: {
      title: 'En español',
      about: 'Pulsa 9 para español y paga. Para comercios con el español como segundo idioma.',
    },
    tip: {
      title: 'Con propina',
      about: 'Añade la segunda propina ofrecida y oye el total antes del cobro. Para comercios con propinas.',
    },
    part: { title: 'Paga una parte', about: 'Paga 20 del importe. Para comercios que aceptan pagos parciales.' },
    hold: {
      title: 'Hace una retención',
      about:
        'Teclea una tarjeta para una retención: el importe se retiene, y usted lo captura o anula la retención después.',
    },
    'save-only': {
      title: 'Guarda la tarjeta',
      about:
        'Teclea una tarjeta y acepta la frase que usted ha escrito. La tarjeta se guarda y no se cobra nada, sea cual sea el importe.',
    },
    mistype: {
      title: 'Se equivoca',
      about: 'Teclea una cifra errónea, luego una fecha ya vencida y después todo bien.',
    },
    star: {
      title: 'Vuelve a empezar',
      about: 'Se equivoca en el número de tarjeta, pulsa asterisco y lo teclea otra vez.',
    },
    slow: { title: 'Lento', about: 'Tarda dos segundos por tecla. La llamada dura 90 segundos.' },
    'decline-then-ok': {
      title: 'Rechazo y pago',
      about: 'Se rechaza la primera tarjeta, y el llamante paga con otra.',
    },
    'call-back': {
      title: 'Cuelga y vuelve a llamar',
      about: 'Cuelga mientras teclea el número de tarjeta, vuelve a llamar, recibe otra vez la bienvenida y paga.',
    },
    declined: { title: 'Rechazado', about: 'Su tarjeta se rechaza tres veces, y vuelve al agente sin pagar.' },
    'star-star': { title: 'De vuelta al agente', about: 'Pulsa asterisco dos veces y vuelve al agente sin pagar.' },
    silent: { title: 'No responde', about: 'No pulsa ninguna tecla. La línea vuelve a preguntar y luego desiste.' },
    'hangup-mid-card': { title: 'Cuelga', about: 'Cuelga mientras teclea el número de tarjeta.' },
    pending: {
      title: 'Sin respuesta del procesador',
      about:
        'Se desconoce el resultado, así que la línea pide al llamante que no pague otra vez. El cobro se resuelve minutos después.',
    },
  },
};
