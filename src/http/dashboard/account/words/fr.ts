/** French words of the account's page, and of the pay page's branding. */
import type { AccountWords } from './en.ts';

const MODES = { test: 'mode test', live: 'mode réel' };

export const fr: AccountWords = {
  title: 'Compte',
  saved: 'Enregistré',
  save: 'Enregistrer',
  facts: { account: 'Compte', currency: 'Devise par défaut' },
  calls: 'Appels et SMS',
  callsAbout:
    'Un appel ne revient qu’à l’adresse indiquée dans la session de paiement, et seulement si les listes ci-dessous l’autorisent. Les SMS sont envoyés vers les pays de vos commerçants et ceux que vous ajoutez.',
  secret: 'Secret de signature des en-têtes SIP',
  secretAbout:
    'Signe le résultat dans les en-têtes des appels qui reviennent à votre agent. Un nouveau secret remplace l’ancien immédiatement, dans les deux modes. Les appels en cours peuvent revenir avec l’une ou l’autre signature.',
  roll: 'Renouveler le secret',
  rolled: {
    title: 'Nouveau secret de signature',
    copyNow: 'Copiez le secret maintenant',
    copy: 'Copier le secret',
    what: 'La clé HMAC de l’en-tête X-Ringkey-Signature.',
  },
  fields: {
    anyHost: 'Sans liste d’hôtes',
    anyHostHint:
      'Autorise tous les hôtes publics en mode test et aucun en mode réel. Décochez la case pour utiliser la liste ci-dessous.',
    hosts: 'Hôtes SIP autorisés (les deux modes)',
    hostsHint: 'Un par ligne : un nom d’hôte, *.example.com, une adresse IP, ou * pour tous les hôtes publics.',
    prefixes: 'Préfixes autorisés (mode réel)',
    prefixesHint:
      'Un par ligne : + et des chiffres, par exemple +44. Les numéros d’urgence et surtaxés ne sont jamais appelés.',
    countries: 'Autres pays pour les SMS (les deux modes)',
    countriesHint:
      'Un par ligne : un code de deux lettres, par exemple MX. Les pays de vos commerçants sont toujours autorisés. Aucun SMS n’est envoyé aux numéros surtaxés ou satellitaires.',
    attestation: 'URL d’attestation',
    attestationHint:
      'Une URL https, pour ce mode seulement. Ringkey y demande l’attestation STIR/SHAKEN d’un appel. Vide : pas d’attestation.',
  },
  page: {
    title: 'Page de paiement',
    about: (mode) =>
      `La couleur, les coordonnées et les liens que les payeurs voient en ${MODES[mode]}, à côté du nom du commerçant. Toute personne ayant un lien de paiement peut les voir.`,
    save: 'Enregistrer la page de paiement',
    preview: 'Aperçu',
    previewAll: 'Aperçu de la page entière',
    inactive: 'Le formulaire de l’aperçu est inactif.',
    color: 'Couleur d’accentuation',
    pickColor: 'Choisir une couleur',
    colorHint:
      '# et six chiffres hexadécimaux. Ajustée dans chaque thème pour que le texte reste lisible. Vide : vert.',
    colorHintOfMerchant:
      '# et six chiffres hexadécimaux. Ajustée dans chaque thème pour que le texte reste lisible. Vide : celle du compte.',
    phone: 'Téléphone d’assistance',
    phoneHint: 'Par exemple +15550100200.',
    phoneHintOfMerchant: 'Par exemple +15550100200. Vide : celui du compte.',
    email: 'Adresse e-mail d’assistance',
    terms: 'URL des conditions',
    privacy: 'URL de la politique de confidentialité',
    urlHint: 'Une URL https://. La page y renvoie.',
    wrong: {
      page_accent_color: 'Saisissez une couleur sous la forme # et six chiffres hexadécimaux, par exemple #24569b.',
      page_support_phone: 'Saisissez un numéro avec + et l’indicatif du pays, par exemple +15550100200.',
      page_support_email: 'Saisissez une adresse e-mail valide.',
      page_terms_url: 'Saisissez une URL https://, par exemple https://example.com/terms.',
      page_privacy_url: 'Saisissez une URL https://, par exemple https://example.com/privacy.',
    },
    pay: (amount) => `Payer ${amount}`,
    link: 'Un lien',
    themes: { light: 'Clair', dark: 'Sombre' },
    adjusted: { light: 'plus foncée pour rester lisible', dark: 'plus claire pour rester lisible' },
  },
};
