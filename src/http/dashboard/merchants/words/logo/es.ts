/** Spanish words of a merchant's logo. */
import type { LogoWords } from './en.ts';

export const es: LogoWords = {
  title: 'Logotipo',
  none: 'Sin logotipo. Las páginas de pago muestran la inicial del nombre del negocio.',
  withoutAddress: 'Subido. Se mostrará cuando se configure RINGKEY_PUBLIC_URL.',
  add: 'Añadir logotipo',
  change: 'Cambiar logotipo',
  current: 'Logotipo actual',
  remove: 'Eliminar logotipo',
  upload: 'Subir',
  replace: 'Reemplazar',
  file: 'Archivo',
  hint: 'PNG o SVG, hasta 50 KB. Las páginas de pago lo muestran sobre blanco, con 40 píxeles de alto. Un logotipo blanco necesita un fondo propio.',
  send: 'Subir logotipo',
  back: 'Volver al comercio',
  notices: {
    set: 'Logotipo guardado. Las páginas de pago ya lo muestran',
    saved: 'Logotipo guardado. Las páginas de pago lo mostrarán cuando se configure RINGKEY_PUBLIC_URL',
    removed: 'Logotipo eliminado',
  },
};
