/** Spanish words of the API keys' pages. */
import type { KeyWords } from './en.ts';

export const es: KeyWords = {
  title: 'Claves de API',
  lead: 'Guarde las claves en sus servidores. No las ponga nunca en un prompt, un navegador o una app.',
  label: 'Claves de API, las más recientes primero',
  add: 'Crear una clave',
  heads: { name: 'Nombre', prefix: 'Prefijo', scope: 'Alcance', status: 'Estado', created: 'Creación' },
  scopes: { agent: 'Agente: acepta pagos', full: 'Completo: todo' },
  scopeChoices: {
    agent: 'Agente: crea sesiones de pago, cobra, envía enlaces por SMS, lee sesiones',
    full: 'Completo: todo, incluidos reembolsos y configuración',
  },
  empty: {
    title: (mode) => ({ test: 'Aún no hay claves de prueba', live: 'Aún no hay claves de modo real' })[mode],
    text: 'Sus servidores se autentican con una clave. Dé a su agente de voz una con el alcance «agent», que solo puede aceptar pagos.',
  },
  states: { active: 'Activa', expiring: 'Por caducar', expired: 'Caducada', revoked: 'Revocada' },
  createLead: (mode) =>
    ({
      test: 'Esta clave solo funciona en modo de prueba.',
      live: 'Esta clave solo funciona en modo real.',
    })[mode],
  create: 'Crear clave',
  fields: {
    name: 'Nombre',
    nameHint: 'Describe dónde se usa la clave.',
    scope: 'Alcance',
    sources: 'Direcciones IP permitidas',
    sourcesHint: 'Una dirección o un bloque CIDR por línea. Vacío: cualquier dirección.',
  },
  created: 'Clave creada',
  rolled: 'Clave renovada',
  copyNow: 'Copie la clave ahora',
  copy: 'Copiar la clave',
  what: 'Envíela en la cabecera Authorization, solo desde sus servidores.',
  facts: {
    key: 'Clave',
    prefix: 'Prefijo',
    scope: 'Alcance',
    sources: 'Direcciones IP permitidas',
    any: 'Cualquiera',
    created: 'Creación',
    expires: 'Caducidad',
    revoked: 'Revocación',
  },
  roll: {
    title: 'Renovar clave',
    about:
      'Sustituye esta clave por una nueva con los mismos permisos. La nueva se muestra una sola vez. Ambas funcionan hasta que caduque la anterior.',
    oldExpires: 'La clave anterior caduca',
  },
  revoke: {
    title: 'Revocar clave',
    about: 'Las solicitudes con esta clave fallan en menos de un segundo. No se puede deshacer.',
  },
};
