/** Spanish words of all forms. */
import { plural } from '../../words/formats.ts';
import type { FormWords } from './en.tsx';

const KEYS = { test: 'una clave de prueba', live: 'una clave de modo real' };

export const es: FormWords = {
  cancel: 'Cancelar',
  mustSignIn: 'Para hacer cambios, inicie sesión de nuevo.',
  signInAgain: 'Iniciar sesión de nuevo',
  nothingChanged: 'No se ha cambiado nada',
  goToField: 'Ir al campo',
  sentBefore:
    'Este formulario ya se había enviado. Consulte el resultado en la lista. Para crear otro elemento, abra el formulario de nuevo.',
  settings: 'Configuración',
  tabs: {
    merchants: 'Comercios',
    keys: 'Claves de API',
    webhooks: 'Endpoints de webhook',
    alerts: 'Alertas',
    account: 'Cuenta',
    users: 'Usuarios',
    go_live: 'Puesta en marcha',
  },
  overlaps: {
    '86400': 'Dentro de 1 día',
    '3600': 'Dentro de 1 hora',
    '604800': 'Dentro de 7 días',
    '0': 'De inmediato',
  },
  timeZone: 'Zona horaria',
  timeZoneHint: 'Escriba una ciudad en inglés, como New York, y elija su zona.',
  merchants: {
    search: 'Buscar comercios',
    searchHint: 'Parte del nombre o un ID. Los comercios seleccionados se mantienen.',
    submit: 'Buscar',
    found: (count) => plural(count, { one: '# comercio más encontrado', other: '# comercios más encontrados' }),
    foundMany: 'Se han encontrado más de 100 comercios. Estos son los más recientes.',
    inTest: (name) => `Modo de prueba: ${name}`,
  },
  shownOnce: 'No podrá volver a ver este valor.',
  copied: 'Ya lo he copiado',
  apiCall: {
    title: 'Copiar como llamada a la API',
    sendsEntries: 'Envía los datos de arriba.',
    sendsVariables: 'Envía los valores de sus variables.',
    key: (variable, mode, scope) => (
      <>
        Asigne a {variable} {KEYS[mode]} con el alcance «{scope}».
      </>
    ),
    copy: 'Copiar la llamada a la API',
    update: 'Actualizar la llamada a la API',
  },
};
