/** Opens the speech service: its synthesizer and the folder of its audio files. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';
import { createEspeak } from '../speech/espeak/espeak.ts';
import { Synthesizers } from '../speech/synthesizers.ts';
import { createSpeech, type SpeechService } from '../speech/speech.ts';

const PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url));

/** @throws when the prompts or the recordings cannot be read */
export async function openSpeech({ config, log, lifecycle, metrics }: Infrastructure): Promise<SpeechService> {
  const speech = await createSpeech({
    folder: config.RINGKEY_MEDIA_DIR ?? join(config.RINGKEY_HOME, 'speech'),
    promptsFolder: PROMPTS,
    synthesizers: synthesizersOf(config),
    onRender: metrics.speech,
    defaultVoice: config.RINGKEY_VOICE ?? null,
    log,
    limits: {
      maxBytes: config.RINGKEY_SPEECH_CACHE_MB * 1024 ** 2,
      maxAccountBytes: config.RINGKEY_SPEECH_ACCOUNT_MB * 1024 ** 2,
    },
  });
  lifecycle.add('speech', CLOSE_LIMIT_MS, async () => speech.close());
  return speech;
}

/** All that the settings have keys for: merchants' voices may name any of them. */
function synthesizersOf({ RINGKEY_SYNTHESIZER: chosen }: Config): Synthesizers {
  return new Synthesizers([createEspeak()], chosen === 'none' ? null : chosen);
}
