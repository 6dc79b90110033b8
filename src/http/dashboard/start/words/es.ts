/** Spanish words of "Getting started". */
import type { StartWords } from './en.ts';

export const es: StartWords = {
  title: 'Primeros pasos',
  allDone: 'Todo listo. Esta cuenta puede aceptar pagos por teléfono.',
  lead: 'De una cuenta nueva a una llamada pagada. Cada paso se marca en cuanto usted lo completa aquí o con la API.',
  progress: (done, all) => `${done} de ${all} hechos`,
  progressLabel: (done, all) => `${done} de ${all} pasos hechos`,
  done: 'hecho',
  notDone: 'aún pendiente',
  copyCommand: (title) => `Copiar el comando: ${title}`,
  merchant: {
    title: 'Crear un comercio',
    about: 'Un comercio es el negocio que recibe el dinero. Cada sesión de pago indica uno.',
    page: 'Crear un comercio',
    docs: 'Puesta en marcha',
  },
  processor: {
    title: 'Conectar su procesador',
    about: {
      test: 'El sandbox acepta tarjetas de prueba. También puede conectar una cuenta de prueba de un procesador.',
      live: 'Los pagos llegan a la cuenta del propio comercio en su procesador.',
    },
    merchants: 'Comercios',
    merchant: 'Ver el comercio',
    docs: 'Procesadores y credenciales',
  },
  key: {
    title: 'Crear una clave',
    about:
      'El backend de su agente se autentica con ella. Una clave con el alcance «agent» puede aceptar pagos, pero no crear reembolsos ni claves.',
    page: 'Claves de API',
    docs: 'Acerca de las claves',
  },
  checkout: {
    title: 'Crear una sesión de pago',
    about:
      'Lo hace la herramienta de su agente cuando el pedido está listo para el pago. La respuesta contiene el mensaje que debe decir y la dirección a la que debe transferir la llamada.',
    docs: 'Guía rápida',
  },
  call: {
    title: 'Aceptar un pago en una llamada',
    about: {
      test: 'Haga una llamada de prueba desde el navegador, o marque usted transfer_to y teclee 4242 4242 4242 4242.',
      live: 'Su agente transfiere a un llamante, que paga durante la llamada.',
    },
    page: { test: 'Probar', live: 'Llamadas' },
    docs: 'Conectar su plataforma de voz',
  },
  webhook: {
    title: 'Recibir un webhook',
    about: 'Registre un endpoint. «checkout.completed» es el resultado final de cada sesión de pago.',
    aboutEndpoint: 'Su endpoint aún no ha respondido con 2xx a ningún evento. Su página muestra las entregas fallidas.',
    page: 'Endpoints de webhook',
    docs: 'Eventos y webhooks',
  },
};
