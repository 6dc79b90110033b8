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

/** @param days before the end */
const ending = (days: number) => `
  select null::text as "accountId", null::mode as mode, host || ':' || port as subject, null::text as "merchantId",
         json_build_object('name', case when port = 443 then host else host || ':' || port end,
                           'endsAt', to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                           'isOver', valid_until <= now()) as facts,
         null::timestamptz as "newestAt"
    from certificates
   where ${IN_ANY_SCOPE} and read_at > now() - ${KEPT} and valid_until < now() + interval '${days} days'`;

/** The second kind is urgent, and told again. Both close after the renewal. */
export const CERTIFICATE_FINDERS = [
  finder('certificate_expiring', ending(21)),
  finder('certificate_ending', ending(3)),
];
