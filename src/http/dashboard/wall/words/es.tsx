/** Spanish words of the wall board. */
import type { WallWords } from './en.tsx';

export const es: WallWords = {
  title: 'Panel de pared',
  modes: { test: 'Modo de prueba', live: 'Modo real' },
  connecting: 'Conectando',
  timesIn: (zone) => <>Horas en {zone}</>,
  fullScreen: 'Pantalla completa',
  close: 'Cerrar',
  liveCalls: 'Llamadas en curso',
  inProgress: 'Dinero en curso',
  rate: 'Tasa de éxito, última hora',
  attention: 'Asuntos por resolver',
  newest: 'Llamadas en curso más recientes',
  more: (count) => `y ${count} más.`,
  changed: (at) => <>Actualizado: {at}</>,
  notKnown: 'Sin datos',
  noCharges: 'Sin cobros',
  ofCharges: (succeeded, all) => `${succeeded} de ${all} cobros`,
};
