/** The words of why an attempt to deliver an event failed, for the middle of a sentence. */
import type { ConnectionFailure, DeliveryFailure } from '../domain/delivery-failure.ts';
import type { LanguageTag } from '../languages/index.ts';

type Words = Readonly<Record<DeliveryFailure | ConnectionFailure, string>>;

const en: Words = {
  status: 'status',
  redirect: 'redirect, not followed',
  gone: 'gone',
  timeout: 'timed out',
  connection: 'connection failed',
  forbidden_address: 'address not allowed',
  too_old: 'too old',
  host_not_found: 'host name not found',
  host_lookup_failed: 'host name could not be looked up',
  connection_refused: 'connection refused',
  connection_reset: 'connection reset',
  connection_timeout: 'connection timed out',
  unreachable: 'host unreachable',
  certificate_expired: 'certificate not valid (expired)',
  certificate_wrong_host: 'certificate not valid (wrong host)',
  certificate_unknown_issuer: 'certificate not valid (unknown issuer)',
  certificate_invalid: 'certificate not valid',
  tls_error: 'TLS handshake failed',
  invalid_response: 'not a valid HTTP response',
};

const de: Words = {
  status: 'Fehlerstatus',
  redirect: 'Umleitung, nicht befolgt',
  gone: 'nicht mehr vorhanden',
  timeout: 'Zeitüberschreitung',
  connection: 'Verbindungsfehler',
  forbidden_address: 'unzulässige Adresse',
  too_old: 'zu alt',
  host_not_found: 'Hostname nicht gefunden',
  host_lookup_failed: 'Hostname konnte nicht aufgelöst werden',
  connection_refused: 'Verbindung abgelehnt',
  connection_reset: 'Verbindung abgebrochen',
  connection_timeout: 'Zeitüberschreitung beim Verbindungsaufbau',
  unreachable: 'Host nicht erreichbar',
  certificate_expired: 'Zertifikat ungültig (abgelaufen)',
  certificate_wrong_host: 'Zertifikat ungültig (falscher Hostname)',
  certificate_unknown_issuer: 'Zertifikat ungültig (unbekannter Aussteller)',
  certificate_invalid: 'Zertifikat ungültig',
  tls_error: 'TLS-Handshake fehlgeschlagen',
  invalid_response: 'keine gültige HTTP-Antwort',
};

const es: Words = {
  status: 'error HTTP',
  redirect: 'redirección, no seguida',
  gone: 'ya no existe',
  timeout: 'tiempo agotado',
  connection: 'fallo de conexión',
  forbidden_address: 'dirección no permitida',
  too_old: 'demasiado antiguo',
  host_not_found: 'nombre de host no encontrado',
  host_lookup_failed: 'no se pudo resolver el nombre de host',
  connection_refused: 'conexión rechazada',
  connection_reset: 'conexión interrumpida',
  connection_timeout: 'tiempo de conexión agotado',
  unreachable: 'host inaccesible',
  certificate_expired: 'certificado no válido (caducado)',
  certificate_wrong_host: 'certificado no válido (otro host)',
  certificate_unknown_issuer: 'certificado no válido (emisor desconocido)',
  certificate_invalid: 'certificado no válido',
  tls_error: 'error en la negociación TLS',
  invalid_response: 'respuesta HTTP no válida',
};

const fr: Words = {
  status: 'code d’erreur',
  redirect: 'redirection, non suivie',
  gone: 'n’existe plus',
  timeout: 'délai dépassé',
  connection: 'échec de connexion',
  forbidden_address: 'adresse interdite',
  too_old: 'trop ancien',
  host_not_found: 'nom d’hôte introuvable',
  host_lookup_failed: 'résolution du nom d’hôte impossible',
  connection_refused: 'connexion refusée',
  connection_reset: 'connexion interrompue',
  connection_timeout: 'délai de connexion dépassé',
  unreachable: 'hôte injoignable',
  certificate_expired: 'certificat non valide (expiré)',
  certificate_wrong_host: 'certificat non valide (autre hôte)',
  certificate_unknown_issuer: 'certificat non valide (émetteur inconnu)',
  certificate_invalid: 'certificat non valide',
  tls_error: 'échec de la négociation TLS',
  invalid_response: 'réponse HTTP non valide',
};

const LANGUAGES: Readonly<Record<LanguageTag, Readonly<Record<string, string>>>> = { en, de, es, fr };

/** @param failure a code, or the code of its detail @returns the code if it has no words */
export const deliveryFailureText = (failure: string, tag: LanguageTag): string => LANGUAGES[tag][failure] ?? failure;
