/** Spanish words of the list of texts. */
import { plural } from '../../words/formats.ts';
import type { TextListWords } from './en.ts';

export const es: TextListWords = {
  title: 'SMS',
  lead: 'SMS a los llamantes y su entrega. Los enlaces de pago y los códigos nunca se muestran.',
  label: 'SMS, los más recientes primero',
  totals: 'Totales de estos SMS',
  counted: (texts) => plural(texts, { one: '# SMS', other: '# SMS' }),
  filters: {
    checkout: 'Sesión de pago',
    charge: 'Cobro',
    delivery: 'Entrega',
    undelivered: 'Fallidos o no entregados',
  },
  heads: { text: 'SMS', recipient: 'Destinatario', status: 'Estado', message: 'Mensaje', created: 'Creación' },
  empty: {
    title: 'Aún no hay SMS',
    text: 'Los recibos, los enlaces de pago y los códigos aparecen aquí. En el modo de prueba no se envían SMS; la demostración los muestra en una página aparte.',
  },
};
