/** French words of the month-end report. */
import { plural } from '../../words/formats.ts';
import type { ReportWords } from './en.tsx';

export const fr: ReportWords = {
  title: 'Rapport mensuel',
  titleOf: (merchant, month) => `Rapport mensuel, ${merchant}, ${month}`,
  lead: {
    live: (merchant, month, zone) => (
      <>
        {merchant}, {month}, fuseau {zone}
      </>
    ),
    test: (merchant, month, zone) => (
      <>
        {merchant}, {month}, fuseau {zone}, mode test
      </>
    ),
  },
  print: 'Imprimer',
  filters: 'Commerçant et mois',
  merchant: 'Commerçant',
  month: 'Mois',
  show: 'Afficher',
  empty: {
    title: (month) => `Aucune activité en ${month}`,
    text: 'Ce commerçant n’a eu ni paiement, ni remboursement, ni litige, ni virement pendant ce mois.',
  },
  notes:
    'Les paiements et les remboursements sont comptés le jour où ils ont été effectués. Le net est le brut moins les remboursements. Les litiges et les frais ne sont pas déduits. Les virements sont comptés le jour de leur arrivée, et seulement ceux des prestataires qui les indiquent.',
  noMerchants: {
    title: 'Aucun commerçant pour l’instant',
    text: 'Chaque commerçant a un rapport par mois. Ajoutez d’abord un commerçant.',
    action: 'Ajouter un commerçant',
  },
  totalsIn: (currency) => `Totaux en ${currency}`,
  figures: { net: 'Net', gross: 'Brut', refunded: 'Remboursé', disputed: 'Contesté', paidOut: 'Versé' },
  grossLessRefunds: 'Brut moins remboursements',
  payments: (count) => plural(count, { one: '# paiement', other: '# paiements' }),
  refunds: (count) => plural(count, { one: '# remboursement', other: '# remboursements' }),
  disputes: (count) => plural(count, { one: '# litige', other: '# litiges' }),
  payouts: (count) => plural(count, { one: '# virement', other: '# virements' }),
  lost: (amount) => `perdu : ${amount}`,
  fees: (amount) => `frais : ${amount}`,
  shared: (count) =>
    plural(count, { one: '# partagé avec d’autres commerçants', other: '# partagés avec d’autres commerçants' }),
  bySource: 'Par origine',
  bySourceIn: (currency) => `Paiements en ${currency} par origine`,
  byDay: 'Par jour',
  byDayIn: (currency) => `Paiements en ${currency} par jour`,
  sources: { phone: 'Appel', page: 'Page de paiement', saved_card: 'Carte enregistrée' },
  heads: { source: 'Origine', day: 'Jour', payments: 'Paiements', gross: 'Brut', refunded: 'Remboursé', net: 'Net' },
};
