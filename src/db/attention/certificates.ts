/** The table `certificates`: until when the certificates of the service are valid, as its servers present them. */
import type { TlsPlace } from '../../lib/http-client/tls-certificate.ts';
import type { Sql } from '../pool.ts';
import { finder, IN_ANY_SCOPE } from './finder.ts';

/** Replaces what was read there before. */
export async function writeCertificateEnd(sql: Sql, { host, port }: TlsPlace, validUntil: Date): Promise<void> {
  await sql.query(
    `insert into certificates (host, port, valid_until, read_at) values ($1, $2, $3, now())
     on conflict (host, port) do update set valid_until = excluded.valid_until, read_at = excluded.read_at`,
    [host, port, validUntil],
  );
}

/** Places that the settings no longer name are not read again. */
const KEPT = "interval '7 days'";

export async function deleteOldCertificates(sql: Sql): Promise<void> {
  await sql.query(`delete from certificates where read_at < now() - ${KEPT}`);
}

const NAME = `case when port = 443 then host else host || ':' || port end`;
const endsWithin = (days: number) => `read_at > now() - ${KEPT} and valid_until < now() + interval '${days} days'`;

/** @param days before the end */
const ending = (days: number) => `
  select null::text as "accountId", null::mode as mode, host || ':' || port as subject, null::text as "merchantId",
         json_build_object('name', ${NAME},
                           'endsAt', to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                           'isOver', valid_until <= now()) as facts,
         null::timestamptz as "newestAt"
    from certificates
   where ${IN_ANY_SCOPE} and ${endsWithin(days)}`;

const EXPIRING_DAYS = 21;

/** The second kind is urgent, and told again. Both close after the renewal. */
export const CERTIFICATE_FINDERS = [
  finder('certificate_expiring', ending(EXPIRING_DAYS)),
  finder('certificate_ending', ending(3)),
];

export interface EndingCertificate {
  /** The host, with its port if that is not the usual one. */
  name: string;
  validUntil: Date;
  isOver: boolean;
}

/** Those that attention items are about. The first to end comes first. */
export async function listEndingCertificates(sql: Sql): Promise<EndingCertificate[]> {
  const { rows } = await sql.query<EndingCertificate>(
    `select ${NAME} as name, valid_until as "validUntil", valid_until <= now() as "isOver"
       from certificates where ${endsWithin(EXPIRING_DAYS)} order by valid_until, name`,
  );
  return rows;
}
