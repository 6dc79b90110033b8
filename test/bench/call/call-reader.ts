/** Reads the measured calls from the product's database. Times are PostgreSQL's, on the same machine's clock. */
import pg from 'pg';

export interface CallFacts {
  /** The charge succeeded. */
  paid: boolean;
  /** Whether the line asked for a field again, because a digit was lost or duplicated. */
  askedAgain: boolean;
  /** When the sandbox processor was called: its first statement. */
  processorCalledAt: number | null;
  /** When its answer was due. */
  processorAnswersAt: number | null;
  /** The call's timeline. */
  steps: string[];
}

const QUERY = `
  select c.session_id,
         coalesce(bool_or(h.status = 'succeeded'), false) as paid,
         bool_or(c.timeline @? '$[*].step ? (@ like_regex "^say ask .* ([23]|1 [a-z_]+)$")') as asked_again,
         jsonb_path_query_array(max(c.timeline::text)::jsonb, '$[*].step') as steps,
         extract(epoch from min(p.created_at))::double precision * 1000 as called_at,
         extract(epoch from min(p.settles_at))::double precision * 1000 as answers_at
    from calls c
    left join charges h on h.session_id = c.session_id
    left join sandbox_payments p on p.reference = h.id
   where c.session_id = any ($1)
   group by c.session_id`;

interface Row {
  session_id: string;
  paid: boolean;
  asked_again: boolean;
  steps: string[];
  called_at: number | null;
  answers_at: number | null;
}

export class CallReader {
  readonly #client: pg.Client;

  constructor(databaseUrl: string) {
    this.#client = new pg.Client(databaseUrl);
    // Only if the bench is interrupted; the next query fails, too.
    this.#client.on('error', (error) => console.error(`database: ${error.message}`));
  }

  async open(): Promise<void> {
    await this.#client.connect();
  }

  /** Keyed by session, without sessions that were never called. */
  async callsOf(sessions: readonly string[]): Promise<Map<string, CallFacts>> {
    const { rows } = await this.#client.query<Row>(QUERY, [sessions]);
    return new Map(
      rows.map(({ session_id, paid, asked_again, called_at, answers_at, steps }) => [
        session_id,
        { paid, askedAgain: asked_again, processorCalledAt: called_at, processorAnswersAt: answers_at, steps },
      ]),
    );
  }

  /** Calls that are answered and have not ended. */
  async liveCalls(): Promise<number> {
    const sql = 'select count(*)::int as live from calls where answered_at is not null and ended_at is null';
    const { rows } = await this.#client.query<{ live: number }>(sql);
    return rows[0]?.live ?? 0;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
