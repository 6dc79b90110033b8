/** At the side of a caller's page: who it is, the note, saved cards and consents. */
import type { CallerProfileResource } from '../../../contract/callers.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Form } from '../form/form.tsx';
import { cardText, ObjectLink } from '../page/links.tsx';
import { Block, Facts, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

const CHANNELS = { phone: 'On a call', page: 'On the pay page', rest: 'By your agent' } as const;
const STATES = { kept: 'card saved', agreed: 'card not saved yet', not_kept: 'card not saved' } as const;

/** Each part apart, because a name can reverse the text after it. */
export const CallerName = ({ caller: { first_name, last_name } }: { caller: CallerProfileResource }) => (
  <>
    <bdi>{first_name}</bdi> <bdi>{last_name}</bdi>
  </>
);

export function CallerSide({ visit, caller }: { visit: Visit; caller: CallerProfileResource }) {
  const { first_name: first, last_name: last, email, cards, consents } = caller;
  return (
    <>
      {[first, last, email].some((each) => each !== null) && (
        <Facts
          facts={[
            ['Name', first === null && last === null ? null : <CallerName caller={caller} />],
            ['Email', email],
          ]}
        />
      )}
      {visit.user.merchants === null && <Note visit={visit} caller={caller} />}
      <Block title="Saved cards">
        {cards.length === 0 ? (
          <p class="quiet">None.</p>
        ) : (
          <Facts
            facts={cards.map((card) => [
              `${cardText(card)}, ${card.expiry}`,
              <ObjectLink visit={visit} to="merchant" id={card.merchant_id} name={card.business_name} />,
            ])}
          />
        )}
      </Block>
      {consents.length > 0 && (
        <Block title="Consents">
          <Facts
            facts={consents.map((consent) => [
              `${CHANNELS[consent.channel]}, ${STATES[consent.status]}`,
              <>
                <Time at={consent.agreed_at} /> {consent.wording !== null && <q>{consent.wording}</q>}
              </>,
            ])}
          />
        </Block>
      )}
    </>
  );
}

const MAX_NOTE_LENGTH = 2_000;

function Note({ visit, caller }: { visit: Visit; caller: CallerProfileResource }) {
  const { note, note_written_at: writtenAt, caller_phone: phone } = caller;
  return (
    <Block title="Note">
      {roleCovers(visit.user.role, 'support') ? (
        <Form visit={visit} action="/callers/note" submit="Save note" tone="plain">
          <input type="hidden" name="number" value={phone} />
          <div class="field">
            <label class="unseen" for="note">
              Note
            </label>
            <textarea id="note" name="note" rows={3} maxlength={MAX_NOTE_LENGTH}>
              {note ?? ''}
            </textarea>
          </div>
        </Form>
      ) : (
        <p class={note === null ? 'quiet' : 'note-text'}>{note ?? 'None.'}</p>
      )}
      {writtenAt !== null && (
        <p class="quiet small">
          Written <Time at={writtenAt} />
        </p>
      )}
    </Block>
  );
}
