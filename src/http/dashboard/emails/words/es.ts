/** Spanish words of the list of emails. */
import type { EmailListWords } from './en.ts';

export const es: EmailListWords = {
  title: 'Correos',
  lead: 'Recibos por correo a los llamantes, y si se enviaron. Las direcciones están enmascaradas.',
  label: 'Correos, los más recientes primero',
  filters: { checkout: 'Sesión de pago', charge: 'Cobro', delivery: 'Entrega', undelivered: 'No entregados' },
  heads: { email: 'Correo', recipient: 'Destinatario', status: 'Estado', created: 'Creación' },
  empty: {
    title: 'Aún no hay correos',
    text: 'Los recibos aparecen aquí si la sesión de pago incluye la dirección de correo del llamante.',
  },
};
