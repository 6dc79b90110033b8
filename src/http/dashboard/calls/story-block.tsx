/** The blocks of a call's page: what happened, where the time went, what the caller heard, and the technical details. */
import type { CallWithTimelineResource } from '../../../contract/calls.ts';
import { InEnglish } from '../page/english.tsx';
import { Block, Fold, Time } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import { decimalText, percentText } from '../words/formats.ts';
import { offsetText, secondsText } from './seconds.ts';
import { sipMessage } from './sip-messages.ts';
import { stepWords } from './step-words.ts';
import { type Chapter, endOf, type Step, storyOf } from './story.ts';
import { chapterWords } from './story-words.ts';
import { type Spent, timeSpent } from './time-spent.ts';
import { callWords } from './words/index.ts';

type Call = CallWithTimelineResource;

/** Each chapter as a sentence. Opened, it shows its steps. */
export function StoryBlock({ call }: { call: Call }) {
  const chapters = storyOf(call);
  const w = callWords().story;
  return (
    <Block title={w.title}>
      {chapters.length === 0 && <p class="quiet">{w.none}</p>}
      <ol class="story" aria-label={w.title}>
        {chapters.map((chapter, at) => {
          const { what, tone = 'plain' } = chapterWords(chapter, chapters.slice(at + 1), call.status === 'live');
          return (
            <li key={at} class={tone}>
              <Fold id={`chapter-${at}`} summary={<ChapterHead what={what} atMs={chapter.fromMs} />}>
                <ChapterSteps chapter={chapter} />
              </Fold>
            </li>
          );
        })}
      </ol>
    </Block>
  );
}

function ChapterHead({ what, atMs }: { what: string; atMs: number }) {
  return (
    <>
      <span class="what">{what}</span> <span class="number quiet">{offsetText(atMs)}</span>
    </>
  );
}

function ChapterSteps({ chapter: { steps } }: { chapter: Chapter }) {
  return (
    <ul class="steps">
      {steps.map((step, at) => {
        const words = stepWords(step.step);
        if (words === null) return null;
        return (
          <li key={at}>
            <span class="number quiet">{secondsText(step.at_ms)}</span>
            <span>
              <span class="quiet">{words.kind}</span> {words.what}
              <Said step={step} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Said({ step: { said } }: { step: Step }) {
  if (said === null) return null;
  return (
    <q class="said" lang={said.language}>
      {said.text}
    </q>
  );
}

/** A bar for each activity, and its value as text. Calls of earlier versions have fewer activities. */
export function TimeBlock({ call }: { call: Call }) {
  const spent = timeSpent(call);
  if (spent.length === 0) return null;
  const w = callWords().spent;
  const totalMs = spent.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <Block title={w.title}>
      <TimeBar spent={spent} totalMs={totalMs} />
      <ul class="spent">
        {spent.map(({ activity, ms }) => (
          <li key={activity} class={activity}>
            <span>{w.activities[activity]}</span> <span class="number">{secondsText(ms)}</span>{' '}
            <span class="number quiet">{percentText(ms / totalMs)}</span>
          </li>
        ))}
      </ul>
      <p class="quiet small">{w.total(secondsText(endOf(call)))}</p>
    </Block>
  );
}

/** In tenths of a percent. The list has the values. */
function TimeBar({ spent, totalMs }: { spent: readonly Spent[]; totalMs: number }) {
  let from = 0;
  return (
    <svg class="time-bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
      {spent.map(({ activity, ms }) => {
        const width = (ms / totalMs) * 1_000;
        const x = from;
        from += width;
        return <rect key={activity} class={activity} x={x} y="0" width={Math.max(0, width - 2)} height="12" />;
      })}
    </svg>
  );
}

export function HeardBlock({ call }: { call: Call }) {
  const sentences = call.timeline.filter(({ said }) => said !== null);
  if (sentences.length === 0) return null;
  const w = callWords().heard;
  return (
    <Block title={w.title}>
      <Fold id="heard" summary={w.sentences(sentences.length)}>
        <ol class="steps">
          {sentences.map((step, at) => (
            <li key={at}>
              <span class="number quiet">{offsetText(step.at_ms)}</span>
              <span lang={step.said?.language}>{step.said?.text}</span>
            </li>
          ))}
        </ol>
        <p class="quiet small">{w.note}</p>
      </Fold>
    </Block>
  );
}

/** As it is named in a trace. */
const SipMessage = ({ message }: { message: string | null }) =>
  message === null ? null : <InEnglish text={message} />;

export function StepTable({ call }: { call: Call }) {
  const w = callWords().table;
  return (
    <Table
      label={w.label}
      rows={call.timeline}
      columns={[
        { head: w.step, cell: ({ step }) => <code>{step}</code> },
        { head: 'SIP', cell: ({ step }) => <SipMessage message={sipMessage(step)} /> },
        {
          head: w.second,
          kind: 'number',
          cell: ({ at_ms }) => <span class="number">{decimalText(at_ms / 1_000, 3)}</span>,
        },
        { head: w.time, kind: 'time', cell: ({ at }) => <Time at={at} full /> },
      ]}
    />
  );
}
