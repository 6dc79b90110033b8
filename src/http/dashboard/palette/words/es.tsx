/** Spanish words of the command palette and the list of shortcuts. */
import type { PaletteWords } from './en.ts';

export const es: PaletteWords = {
  palette: 'Paleta de comandos',
  label: 'Ir a una página, buscar o ejecutar un comando',
  hint: 'Página, búsqueda o comando',
  results: 'Resultados',
  shortcuts: 'Atajos de teclado',
  keys: {
    palette: 'Paleta de comandos (⌘ K en un Mac)',
    search: 'Buscar',
    next: 'Fila siguiente de una lista',
    previous: 'Fila anterior de una lista',
    help: 'Esta lista',
  },
  singleKeys: 'Usar atajos de una sola tecla en este navegador',
  close: 'Cerrar',
  groups: {
    commands: 'Comandos',
    pages: 'Ir a',
    open: 'Abrir',
    merchants: 'Comercios',
    callers: 'Llamantes',
    charges: 'Cobros',
    refund: 'Reembolsar',
    calls: 'Llamadas',
    checkouts: 'Sesiones de pago',
  },
  commands: {
    testCall: 'Hacer una llamada de prueba',
    merchant: 'Añadir comercio',
    key: 'Crear clave de API',
    endpoint: 'Añadir endpoint de webhook',
    alert: 'Añadir alerta',
    user: 'Invitar a un usuario',
  },
  keywords: { signOut: 'Salir desconectar', theme: 'Apariencia colores modo' },
  theme: (name: string) => `Tema: ${name}`,
  pages: {
    wall: 'Panel de pared',
    tail: 'Registro en vivo',
  },
  refund: (amount, card) => `Reembolsar ${amount}, ${card}`,
  withheld: 'Número oculto',
};
