/** Spanish words of "Your sign-in". */
import { plural } from '../../words/formats.ts';
import type { YourSignInWords } from './en.ts';

export const es: YourSignInWords = {
  title: 'Su inicio de sesión',
  notices: {
    added: 'Llave de acceso creada',
    removed: 'Llave de acceso eliminada. Se ha cerrado su sesión en los demás navegadores',
    password: 'Contraseña cambiada. Se ha cerrado su sesión en los demás navegadores',
    authenticator: 'App de autenticación cambiada. Se ha cerrado su sesión en los demás navegadores',
  },
  passkeys: {
    title: 'Llaves de acceso',
    none: 'Aún no hay ninguna. Una llave de acceso es la forma más segura de iniciar sesión, porque no se puede robar mediante phishing.',
    label: 'Sus llaves de acceso, las más antiguas primero',
    heads: { name: 'Nombre', created: 'Creación', used: 'Último uso', actions: 'Acciones' },
    never: 'Nunca',
    remove: 'Eliminar',
    removeIt: (name) => `Eliminar ${name}`,
    create: 'Crear llave de acceso',
    name: 'Nombre de la nueva llave',
    nameHint: 'El dispositivo que la guarda, como «Portátil del trabajo».',
    sure: (name) => `¿Eliminar ${name}?`,
    removing:
      'Ya no podrá iniciar sesión con ella, y se cerrará su sesión en los demás navegadores. Su dispositivo seguirá mostrando la llave de acceso hasta que la elimine allí.',
    last: 'Es su única forma de iniciar sesión. Cree antes otra llave de acceso.',
  },
  password: {
    title: 'Contraseña y app de autenticación',
    about:
      'Necesita las dos para iniciar sesión. Si pierde la app, inicie sesión con un código de recuperación y configure aquí una nueva.',
    none: 'Aún sin configurar. Sirven para iniciar sesión cuando no tenga a mano su llave de acceso.',
    change: 'Cambiar contraseña',
    changeApp: 'Cambiar app de autenticación',
    setUp: 'Configurar contraseña y app',
    changing:
      'Se cerrará su sesión en los demás navegadores. Su app de autenticación y sus llaves de acceso no cambian.',
  },
  app: {
    title: 'Nueva app de autenticación',
    showKey: 'Mostrar la clave',
    first:
      'Una segunda forma de iniciar sesión cuando no tenga a mano su llave de acceso: una contraseña y los códigos de una app de autenticación en su teléfono.',
    another: 'Su app actual sigue funcionando hasta que introduzca un código de la nueva.',
    again: 'No se ha cambiado nada. Empiece de nuevo',
    tooLate: 'La clave se mostró hace más de diez minutos o en otra sesión.',
    setUpFirst: 'Configurar contraseña y app',
    use: 'Usar la nueva app',
    firstEnds: 'Se cerrará su sesión en los demás navegadores.',
    oldEnds:
      'Se cerrará su sesión en los demás navegadores. Los códigos de la app anterior dejarán de funcionar, así que elimine allí la entrada.',
  },
  codes: {
    title: 'Códigos de recuperación',
    left: (count) =>
      plural(count, {
        one: 'Queda #. Sustituye una vez a un código de su app de autenticación. Al crear códigos nuevos, los anteriores dejan de servir.',
        other:
          'Quedan #. Cada uno sustituye una vez a un código de su app de autenticación. Al crear códigos nuevos, los anteriores dejan de servir.',
      }),
    create: 'Crear códigos nuevos',
    save: 'Guarde sus códigos de recuperación',
    about:
      'Si pierde su app de autenticación, inicie sesión con uno de estos códigos. Cada uno sirve una sola vez. No podrá volver a verlos: anótelos o imprima esta página.',
    earlier: 'Los anteriores ya no funcionan.',
    saved: 'Ya los he guardado',
  },
  sessions: {
    title: 'Dónde tiene la sesión iniciada',
    label: 'Sus sesiones, las más recientes primero',
    heads: { source: 'Dirección IP', signedIn: 'Inicio', active: 'Última actividad', browser: 'Navegador' },
    unknown: 'Desconocida',
    thisBrowser: 'Este navegador',
    otherBrowser: 'Otro navegador',
  },
  language: {
    title: 'Idioma',
    label: 'Idioma del panel',
    browsers: 'Idioma del navegador',
    save: 'Guardar idioma',
  },
};
