/** French words of the payouts' pages. */
import { plural } from '../../words/formats.ts';
import type { PayoutWords } from './en.ts';

export const fr: PayoutWords = {
  title: 'Virements',
  lead: 'Ce que les prestataires versent sur les comptes bancaires de vos commerçants.',
  label: 'Virements, du plus récent au plus ancien',
  kind: 'Virement',
  titleOf: (id) => `Virement ${id}`,
  totals: 'Totaux de ces virements',
  counted: (payouts, currency) =>
    plural(payouts, { one: `# virement en ${currency}`, other: `# virements en ${currency}` }),
  sums: { pending: 'En attente', paid: 'Versé' },
  heads: {
    payout: 'Virement',
    amount: 'Montant',
    status: 'Statut',
    arrival: 'Arrivée',
    arrivalShort: 'Arrivée',
    processor: 'Prestataire',
    created: 'Création',
  },
  empty: {
    title: 'Aucun virement pour l’instant',
    text: 'Un virement apparaît ici quand un prestataire en informe Ringkey. Configurez les notifications de chaque commerçant, avec les événements de virement.',
    action: 'Les virements dans la documentation',
  },
  contents: 'Contenu',
  noContents: 'Le prestataire n’indique pas ce qu’il contient.',
  allEntries: 'Toutes les lignes et CSV',
  asList: 'Lignes sous forme de liste et CSV',
  facts: {
    merchant: 'Commerçant',
    arrival: 'Arrivée',
    processor: 'Prestataire',
    reference: 'Référence du prestataire',
    created: 'Création',
    updated: 'Modification',
  },
  entries: {
    title: 'Lignes de virement',
    lead: 'Les débits, remboursements, litiges et frais de chaque virement. Pour rapprocher une journée, filtrez par date d’arrivée et exportez le CSV.',
    label: 'Lignes de virement, de la plus récente à la plus ancienne',
    totals: 'Totaux de ces lignes',
    counted: (entries, currency) =>
      plural(entries, { one: `# ligne en ${currency}`, other: `# lignes en ${currency}` }),
    sums: { gross: 'Brut', fees: 'Frais', net: 'Net' },
    heads: { kind: 'Type', charge: 'Débit', order: 'Commande', gross: 'Brut', fee: 'Frais', net: 'Net' },
    empty: {
      title: 'Aucune ligne de virement pour l’instant',
      text: 'Elles apparaissent ici avec les virements des prestataires.',
    },
  },
};
