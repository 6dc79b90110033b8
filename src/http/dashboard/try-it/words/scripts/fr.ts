/** French names of the scripts of a test call, and what the caller does in each. */
import type { ScriptTexts } from './en.ts';

export const scripts: ScriptTexts = {
  groups: {
    successful: 'Paiements réussis',
    unpaid: 'Sans paiement',
    mistakes: 'Erreurs de l’appelant',
    failed: 'Paiements échoués',
  },
  scripts: {
    pay: { title: 'Paie', about: 'Écoute chaque question, saisit la carte, paie et retourne à l’agent.' },
    'type-ahead': {
      title: 'Pressé',
      about: 'Saisit carte, date et code d’un seul coup pendant l’accueil.',
    },
    'saved-card': {
      title: 'Carte enregistrée',
      about: 'Appuie sur 1 pour payer avec une carte enregistrée, s’il en existe une chez le commerçant.',
    },
    ach: {
      title: 'Compte bancaire',
      about:
        'Paie depuis un compte bancaire et se trompe une fois dans chaque numéro. Le prélèvement reste en attente. Pour les commerçants qui ont un numéro pour les prélèvements bancaires.',
    },
    spanish: {
      title: 'En espagnol',
      about: 'Appuie sur 9 pour l’espagnol et paie. Pour les commerçants dont l’espagnol est la seconde langue.',
    },
    tip: {
      title: 'Avec pourboire',
      about:
        'Ajoute le deuxième pourboire proposé et entend le total avant le débit. Pour les commerçants avec pourboires.',
    },
    part: {
      title: 'Paie une partie',
      about: 'Paie 20 sur le montant total. Pour les commerçants qui acceptent les paiements partiels.',
    },
    hold: {
      title: 'Fait bloquer un montant',
      about:
        'Saisit une carte pour un blocage : le montant est bloqué, et plus tard, vous l’encaissez ou annulez le blocage.',
    },
    'save-only': {
      title: 'Enregistre la carte',
      about:
        'Saisit une carte et accepte votre phrase de consentement. La carte est enregistrée et rien n’est débité, quel que soit le montant.',
    },
    mistype: {
      title: 'Se trompe',
      about: 'Saisit un chiffre erroné, puis une date passée, puis tout correctement.',
    },
    star: {
      title: 'Recommence',
      about: 'Se trompe dans le numéro de carte, appuie sur étoile et le saisit de nouveau.',
    },
    slow: { title: 'Lent', about: 'Met deux secondes par touche. L’appel dure 90 secondes.' },
    'decline-then-ok': {
      title: 'Refusé, puis payé',
      about: 'La première carte est refusée, et l’appelant paie avec une autre.',
    },
    'call-back': {
      title: 'Raccroche et rappelle',
      about: 'Raccroche pendant la saisie du numéro de carte, rappelle, est accueilli de nouveau et paie.',
    },
    declined: { title: 'Refusé', about: 'Voit sa carte refusée trois fois et retourne à l’agent sans avoir payé.' },
    'star-star': {
      title: 'Retour à l’agent',
      about: 'Appuie deux fois sur étoile et retourne à l’agent sans avoir payé.',
    },
    silent: { title: 'Ne répond pas', about: 'N’appuie sur aucune touche. La ligne redemande, puis abandonne.' },
    'hangup-mid-card': { title: 'Raccroche', about: 'Raccroche pendant la saisie du numéro de carte.' },
    pending: {
      title: 'Aucune réponse du prestataire',
      about:
        'Le résultat est inconnu : la ligne demande donc à l’appelant de ne pas payer de nouveau. Le débit est régularisé quelques minutes plus tard.',
    },
  },
};
