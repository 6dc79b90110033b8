/** Spanish words of the page of live calls. */
import { plural } from '../../words/formats.ts';
import type { NowWords } from './en.ts';

export const es: NowWords = {
  title: 'Ahora',
  lead: 'Llamadas en curso y su paso actual. No se muestra nada de lo que teclean los llamantes.',
  connecting: 'Conectando',
  liveTail: 'Registro en vivo',
  wallBoard: 'Panel de pared',
  label: 'Llamadas en curso, las más recientes primero',
  heads: {
    caller: 'Llamante',
    step: 'Paso',
    amount: 'Importe',
    merchant: 'Comercio',
    order: 'Pedido',
    duration: 'Duración',
    history: 'Historial',
    end: 'Terminar',
  },
  numberWithheld: 'Número oculto',
  onTheLine: 'En curso',
  choosing: 'Elige qué pagar',
  byBridge: 'Con el agente, mediante un puente',
  steps: {
    greeting: 'Oye el saludo',
    card_number: 'Teclea el número de tarjeta',
    expiry: 'Teclea el vencimiento',
    security_code: 'Código de seguridad',
    bank_account: 'Teclea una cuenta bancaria',
    postal_code: 'Teclea el código postal',
    keep_card: 'Decide si guarda la tarjeta',
    confirmation: 'Se le pide que confirme',
    paying: 'Cobro en curso',
    by_link: 'Puede pagar por enlace',
    waiting: 'Espera otro pago',
    leaving: 'Oye el resultado',
    returning: 'Vuelve al agente',
    ended: 'Termina',
  },
  onlyNewest: (count) =>
    plural(count, {
      one: 'Solo se muestra la llamada en curso más reciente.',
      other: 'Solo se muestran las # llamadas en curso más recientes.',
    }),
  certificates: {
    title: 'Certificados que caducan pronto',
    expires: 'Caduca',
    expired: 'Caducado',
    todo: 'Pida al operador del servicio que los renueve.',
  },
  empty: {
    title: 'No hay llamadas en curso',
    text: 'Cada llamada aparece aquí mientras dura, con cada paso en el momento en que ocurre.',
    tryIt: 'Hacer una llamada de prueba',
    past: 'Llamadas anteriores',
  },
};
