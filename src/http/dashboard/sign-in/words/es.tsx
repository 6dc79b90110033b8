/** Spanish words of signing in. */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../accounts/users/password.ts';
import { plural } from '../../words/formats.ts';
import type { SignInWords } from './en.tsx';

export const es: SignInWords = {
  signIn: 'Iniciar sesión',
  signInAgain: 'Iniciar sesión de nuevo',
  confirm: 'Por su seguridad, confirme que es usted antes de hacer cambios.',
  useName: (link) => (
    <>Use {link} en su lugar: allí funcionan las llaves de acceso, y allí llevan los enlaces de invitación.</>
  ),
  withPasskey: 'Usar una llave de acceso',
  withProvider: (provider) => `Iniciar sesión con ${provider}`,
  noAccess: '¿No puede iniciar sesión? Pida un enlace nuevo a un propietario de la cuenta o al operador.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  code: 'Código',
  anyCodeHint: 'Seis cifras de su app de autenticación, o un código de recuperación.',
  wrong:
    'El correo, la contraseña o el código no son correctos. Cada código sirve una sola vez, así que espere al siguiente. Tras diez intentos fallidos, las contraseñas se bloquean durante 30 minutos.',
  wrongPasskey:
    'Esta llave de acceso no pertenece a ningún usuario de este panel. Pruebe con otra o inicie sesión de otra forma.',
  chooseAccount: 'Elija una cuenta',
  accountIn: (account, role) => `${account} (${role})`,
  goToSignIn: 'Ir al inicio de sesión',
  join: (account) => `Únase a ${account}`,
  invited: (email, role) => (
    <>
      Se le ha invitado como {email} con el rol {role}. Elija cómo iniciar sesión.
    </>
  ),
  createPasskey: 'Crear llave de acceso',
  or: 'o',
  noWay:
    'Las llaves de acceso y las contraseñas no están disponibles en esta dirección. Pida al operador que configure RINGKEY_PUBLIC_URL y RINGKEY_ENCRYPTION_KEYS.',
  passwordAndApp: 'Contraseña y app de autenticación',
  setUp: 'Configurar e iniciar sesión',
  recoveryCodes: 'Códigos de recuperación',
  saveCodes: 'Guarde sus códigos de recuperación',
  aboutCodes:
    'Si pierde su app de autenticación, inicie sesión con uno de estos códigos. Cada uno sirve una sola vez. No podrá volver a verlos: anótelos o imprima esta página.',
  codesSaved: 'Ya los he guardado. Continuar',
  newPassword: 'Contraseña nueva',
  newPasswordHint: `Al menos ${MIN_PASSWORD_LENGTH} caracteres. Varias palabras al azar son una buena opción.`,
  currentPassword: 'Contraseña actual',
  wrongPassword:
    'Esta no es su contraseña actual. Tras diez intentos fallidos, no se acepta ninguna contraseña durante 30 minutos.',
  codeHint: 'Las seis cifras que muestra la app.',
  wrongCode:
    'Este código no es válido en este momento: use el siguiente y compruebe que el reloj de su dispositivo esté en hora.',
  scan: 'Escanee este código QR con una app de autenticación o introduzca la clave.',
  key: 'Clave',
  qrCode: 'Código QR de la clave',
  passwordFaults: {
    too_short: `Use ${MIN_PASSWORD_LENGTH} caracteres o más. Unas cuantas palabras forman una buena contraseña.`,
    too_long: `Use ${MAX_PASSWORD_LENGTH} caracteres como máximo.`,
    guessable: 'Esta contraseña es de las primeras que prueban los atacantes: use una más difícil de adivinar.',
    same: 'Esta es la contraseña que ya tiene: elija otra.',
  },
  requiredRole: {
    owner: 'Solo pueden hacerlo los propietarios de la cuenta. Pida a un propietario que cambie su rol.',
    developer: 'Solo pueden hacerlo los propietarios y los desarrolladores. Pida a un propietario que cambie su rol.',
    support:
      'Solo pueden hacerlo los propietarios, los desarrolladores y los usuarios de atención al cliente. Pida a un propietario que cambie su rol.',
    viewer: 'Solo pueden hacerlo los usuarios de la cuenta. Pida a un propietario que cambie su rol.',
  },
  refusals: {
    forged: {
      title: 'Envíe el formulario de nuevo',
      text: 'La página ha estado abierta demasiado tiempo, o el formulario no procede de este panel. No se ha cambiado nada. Vuelva atrás, recargue la página y envíe el formulario de nuevo.',
    },
    role: 'Su rol no lo permite',
    gone: {
      title: 'Este enlace ya no es válido',
      text: 'Ya se ha usado, se ha sustituido por otro más reciente o tiene más de 24 horas. Pida un enlace nuevo a quien se lo envió.',
    },
    noPasskey: {
      title: 'No se ha creado ninguna llave de acceso',
      text: 'No se ha podido verificar la llave de acceso. Inténtelo de nuevo.',
    },
    noPasskeysHere: {
      title: 'Las llaves de acceso no están disponibles en esta dirección',
      text: 'Las llaves de acceso funcionan en el host de RINGKEY_PUBLIC_URL y en localhost.',
    },
    notHere: {
      title: 'No disponible en esta dirección',
      text: 'Pida al operador que configure RINGKEY_PUBLIC_URL.',
    },
    insecure: {
      title: 'Use HTTPS para iniciar sesión',
      text: 'La conexión no está cifrada. Pida al operador que asigne a RINGKEY_PUBLIC_URL la URL https del panel y a RINGKEY_TRUSTED_PROXIES el proxy que tiene delante.',
    },
    tooMany: (minutes) => ({
      title: 'Demasiados intentos',
      text: plural(minutes, {
        one: 'Demasiados inicios de sesión desde su red han fallado. Inténtelo de nuevo dentro de # minuto.',
        other: 'Demasiados inicios de sesión desde su red han fallado. Inténtelo de nuevo dentro de # minutos.',
      }),
    }),
    busy: {
      title: 'Demasiados inicios de sesión a la vez',
      text: 'Muchos usuarios están iniciando sesión en este momento. No se han comprobado sus datos. Inténtelo de nuevo dentro de unos segundos.',
    },
    providerAway: {
      title: 'Su proveedor de inicio de sesión no responde',
      text: 'Su proveedor de inicio de sesión no responde correctamente. Inténtelo de nuevo o inicie sesión de otra forma.',
    },
    noSuchUser: (provider) => ({
      title: 'Usted no es usuario de este panel',
      text: `Ningún usuario tiene la dirección de correo verificada por ${provider}. Pida a un propietario de la cuenta que invite a esa dirección.`,
    }),
    notSignedIn: (provider) => ({
      title: 'No se ha iniciado la sesión',
      text: `${provider} no ha iniciado su sesión. Inténtelo de nuevo o inicie sesión de otra forma.`,
    }),
    notAnswered: {
      title: 'Este inicio de sesión ya no es válido',
      text: 'Se empezó en otro navegador, ya se ha usado o ha tardado demasiado. Empiece de nuevo.',
    },
    noUser: { title: 'Sin usuario', text: 'La cuenta de demostración no tiene inicio de sesión.' },
    notRecent: {
      title: 'Inicie sesión de nuevo',
      text: 'Inicie sesión de nuevo para crear una llave de acceso.',
    },
  },
};
