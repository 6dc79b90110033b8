/** Spanish words of the requests' pages. */
import type { RequestWords } from './en.ts';

export const es: RequestWords = {
  title: 'Solicitudes',
  lead: 'Solicitudes a la API hechas con sus claves. Se conservan 30 días, sin secretos.',
  label: 'Solicitudes, las más recientes primero',
  kind: 'Solicitud',
  filters: { status: 'Código', error: 'Código de error', operation: 'Operación', key: 'Clave' },
  heads: {
    request: 'Solicitud',
    status: 'Código',
    error: 'Código de error',
    key: 'Clave',
    duration: 'Duración',
    created: 'Creación',
  },
  noKey: 'Sin clave',
  empty: {
    title: 'Aún no hay solicitudes',
    text: 'Cada solicitud hecha con una de sus claves aparece aquí durante 30 días, con su respuesta.',
    action: 'Referencia de la API',
  },
  requestBody: 'Contenido de la solicitud',
  responseBody: 'Contenido de la respuesta',
  withoutBody: 'Sin contenido.',
  facts: {
    error: 'Código de error',
    field: 'Campo',
    duration: 'Duración',
    key: 'Clave',
    keyName: 'Nombre de la clave',
    source: 'Origen',
    created: 'Creación',
  },
};
