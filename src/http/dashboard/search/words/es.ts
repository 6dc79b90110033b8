/** Spanish words of the search. */
import type { SearchWords } from './en.ts';

export const es: SearchWords = {
  title: 'Buscar',
  results: (text) => `Resultados de «${text}»`,
  noResults: 'Sin resultados',
  newestOnly: 'Solo se muestran los más recientes.',
  all: {
    merchants: 'Todos los comercios',
    calls: 'Todas las llamadas',
    charges: 'Todos los cobros',
    checkouts: 'Todas las sesiones de pago',
  },
  by: (all, filter) => `${all}: ${filter}`,
  start: 'Buscar en esta cuenta',
  help: 'Introduzca cualquier ID de este modo para abrir su página. Para encontrar comercios, introduzca parte del nombre. Para encontrar llamadas, cobros y sesiones de pago, introduzca un teléfono (completo o sus últimas 4 a 10 cifras), un pedido, un ID de llamada de la plataforma o las últimas cuatro cifras de una tarjeta.',
  back: 'Volver a las listas',
  caller: 'Llamante',
  callers: 'Llamantes',
  merchants: 'Comercios',
  calls: 'Llamadas',
  charges: 'Cobros',
  checkouts: 'Sesiones de pago',
  withheld: 'Número oculto',
  heads: {
    caller: 'Llamante',
    outcome: 'Resultado',
    amount: 'Importe',
    merchant: 'Comercio',
    id: 'ID',
    started: 'Inicio',
    status: 'Estado',
    card: 'Tarjeta',
    created: 'Creación',
    refund: 'Reembolso',
  },
};
