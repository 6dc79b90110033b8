/** Spanish words of the live tail. */
import type { TailWords } from './en.ts';

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

export const es: TailWords = {
  title: 'Registro en vivo',
  lead: 'Pasos de llamadas y eventos a medida que ocurren, los 200 más recientes. No se muestra nada de lo que teclean los llamantes.',
  connecting: 'Conectando',
  pause: 'Pausar',
  newestFirst: 'Los más recientes primero',
  empty: 'Aún no ha ocurrido nada. Las nuevas entradas aparecerán aquí.',
  merchant: 'Comercio',
  all: 'Todos',
  filter: 'Filtrar',
  steps: {
    greeting: 'Oye el saludo',
    language: 'Cambió el idioma',
    saved_card: 'Se le ofrece una tarjeta guardada',
    card_number: 'Teclea el número de tarjeta',
    expiry: 'Teclea la fecha de vencimiento',
    security_code: 'Teclea el código de seguridad',
    postal_code: 'Teclea el código postal',
    method: 'Elige tarjeta o cuenta bancaria',
    bank_account: 'Teclea una cuenta bancaria',
    confirm: 'Se le pide que confirme',
    charging: 'Cobro en curso',
    link: 'Puede pagar por enlace',
    returning: 'Vuelve al agente',
  },
  again: (step, attempt) => `${step}, intento ${attempt}`,
  nextStep: 'Paso siguiente',
  answered: 'Llamada atendida',
  returned: 'De nuevo con el agente',
  ended: (outcome) => `Llamada terminada. Resultado: ${lowerFirst(outcome)}`,
  gap: 'Demasiadas entradas a la vez: se omiten algunas',
};
