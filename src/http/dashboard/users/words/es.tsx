/** Spanish words of the users' pages. */
import { plural } from '../../words/formats.ts';
import type { UserWords } from './en.tsx';

export const es: UserWords = {
  title: 'Usuarios',
  lead: 'Usuarios que pueden iniciar sesión en esta cuenta, en ambos modos.',
  leadForOthers:
    'Usuarios que pueden iniciar sesión en esta cuenta, en ambos modos. Solo los propietarios pueden invitar, modificar y eliminar usuarios.',
  label: 'Usuarios, los más antiguos primero',
  none: 'No hay usuarios: esta es la cuenta de demostración, que se abre sin iniciar sesión.',
  heads: {
    name: 'Nombre',
    email: 'Correo electrónico',
    role: 'Rol',
    status: 'Estado',
    signedIn: 'Último inicio de sesión',
  },
  never: 'Nunca',
  states: { locked: 'Bloqueado', invited: 'Invitado', active: 'Activo' },
  invite: 'Invitar a un usuario',
  inviteLead: 'Recibirá un enlace de un solo uso. Envíelo al usuario, que elegirá cómo iniciar sesión.',
  createLink: 'Crear enlace',
  nameHint: 'Lo ven los demás usuarios.',
  roleChoices: {
    owner: 'Propietario: todo, incluidos los usuarios',
    developer: 'Desarrollador: todo menos los usuarios, incluidas las claves',
    support: 'Atención al cliente: consulta, crea reembolsos, termina llamadas',
    viewer: 'Lector: consulta, no cambia nada',
  },
  access: {
    label: 'Acceso',
    hint: 'Solo los roles Atención al cliente y Lector pueden limitarse a comercios.',
    all: 'Todos los comercios y las páginas de la cuenta',
    some: 'Solo los comercios seleccionados aquí',
    merchants: 'Comercios',
    none: 'Ninguno: el usuario no ve nada',
  },
  limitedRole: (role, merchants) => plural(merchants, { one: `${role}, # comercio`, other: `${role}, # comercios` }),
  notices: {
    role: 'Rol cambiado',
    merchants: 'Comercios cambiados',
    removed: 'Usuario eliminado y sesiones cerradas en todas partes',
  },
  facts: {
    user: 'Usuario',
    created: 'Creación',
    methods: 'Métodos de inicio de sesión',
    lockedUntil: 'Bloqueado hasta',
  },
  methods: {
    none: 'Ninguno por ahora',
    passkeys: (count) => plural(count, { one: 'una llave de acceso', other: '# llaves de acceso' }),
    password: 'contraseña y app de autenticación',
    both: (count) =>
      plural(count, {
        one: 'una llave de acceso; contraseña y app de autenticación',
        other: '# llaves de acceso; contraseña y app de autenticación',
      }),
  },
  roleAbout:
    'Se aplica desde la próxima página que abra el usuario. Una cuenta siempre necesita un propietario que haya iniciado sesión. Las claves de API no dependen de los usuarios: renueve las que este usuario ya no deba tener.',
  changeRole: (name) => `Cambiar el rol de ${name}`,
  merchantsAbout:
    'Un usuario limitado a comercios solo ve y gestiona lo que pertenece a ellos, y nada de la cuenta en su conjunto. Se aplica de inmediato. Las alertas propias del usuario dejan de enviarse.',
  changeMerchants: (name) => `Cambiar los comercios de ${name}`,
  createdKeys: {
    notLimited:
      'Las claves de API no se limitan a comercios. Renueve o revoque las claves que este usuario ya no deba tener.',
    list: 'Claves válidas que este usuario creó en el último año:',
  },
  link: {
    title: 'Enlace nuevo',
    about: (name) => (
      <>
        Para un usuario que ha perdido el enlace o no puede iniciar sesión. Al usarlo, sustituye todos los métodos de
        inicio de sesión de {name}.
      </>
    ),
    create: (name) => `Crear un enlace nuevo para ${name}`,
    titleOf: (name) => `Enlace para ${name}`,
    copyNow: 'Copie el enlace ahora',
    copy: 'Copiar el enlace',
    what: 'Envíelo solo a este usuario. La primera persona que lo abra iniciará sesión como este usuario. Sirve una sola vez.',
    expires: (time) => <>Caduca: {time}.</>,
  },
  remove: {
    title: 'Eliminar',
    about:
      'Las sesiones del usuario se cierran de inmediato en todas partes. El registro de cambios conserva el nombre.',
    submit: (name) => `Eliminar a ${name}`,
    sure: (name) => `¿Eliminar a ${name}?`,
    oneself:
      'Es usted. Se cerrará su sesión y perderá el acceso. Para recuperarlo, un propietario debe invitar de nuevo a la misma dirección de correo.',
    other: (name) =>
      `Se cerrará la sesión de ${name}, que perderá el acceso. Para recuperarlo, un propietario debe invitar de nuevo a la misma dirección de correo.`,
    ownKeys: (link) => (
      <>
        Las claves de API siguen funcionando, también las que usted ha creado o visto. {link('Renuévelas')} si es
        necesario.
      </>
    ),
    keys: (link) => (
      <>
        Las claves de API siguen funcionando, también las que este usuario ha creado o visto. {link('Renuévelas')} si es
        necesario.
      </>
    ),
  },
  refusals: {
    no_such_account: 'Esta cuenta no existe.',
    no_such_user: 'Este usuario no existe.',
    invalid_email: 'Escriba una dirección de correo válida.',
    email_taken: 'Un usuario de esta cuenta ya tiene esta dirección de correo.',
    last_owner:
      'La cuenta necesita un propietario. Haga antes propietario a otro usuario, que después debe iniciar sesión una vez.',
    role_without_limit:
      'Solo los usuarios con el rol Atención al cliente o Lector pueden limitarse a comercios. Quite el límite o elija uno de estos roles.',
    no_merchants: 'Elija al menos un comercio, o todos.',
    no_such_merchant: 'Esta cuenta no tiene ese comercio.',
    too_many: 'La cuenta ha alcanzado el límite de 500 usuarios.',
  },
};
