/** Opens the speech service: its synthesizer and the folder of its audio files. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config/config.ts';
import type { Config } from '../config/settings.ts';
import { noteSpeechNearLimit } from '../db/keys/accounts.ts';
import { Connections } from '../lib/http-client/post.ts';
import { missingPackage, type VendorPackage } from '../lib/vendor-packages.ts';
import { createElevenlabs } from '../speech/elevenlabs/elevenlabs.ts';
import { createEspeak } from '../speech/espeak/espeak.ts';
import { createGoogle } from '../speech/google/google.ts';
import { createOpenai } from '../speech/openai/openai.ts';
import { createPolly } from '../speech/polly/polly.ts';
import { createSpeech, type SpeechService } from '../speech/speech.ts';
import { Synthesizers } from '../speech/synthesizers.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';

const PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url));

/** @throws ConfigError for an unknown voice, a synthesizer without its package, or unreadable prompts or recordings */
export async function openSpeech({
  config,
  log,
  lifecycle,
  metrics,
  database,
}: Infrastructure): Promise<SpeechService> {
  const connections = new Connections();
  const synthesizers = synthesizersOf(config, connections);
  const { RINGKEY_VOICE: voice } = config;
  if (voice !== undefined && !synthesizers.mayHave(voice)) {
    throw new ConfigError([`RINGKEY_VOICE must be a voice of a configured synthesizer, and ${voice} is not.`]);
  }
  const speech = await createSpeech({
    folder: config.RINGKEY_MEDIA_DIR ?? join(config.RINGKEY_HOME, 'speech'),
    promptsFolder: PROMPTS,
    synthesizers,
    onRender: metrics.speech,
    onBudgetNear: (account) => {
      noteSpeechNearLimit(database, account).catch((error: unknown) =>
        log.warn({ err: error, account }, 'an account near its limit of speech could not be noted'),
      );
    },
    defaultVoice: voice ?? null,
    log,
    limits: {
      maxBytes: config.RINGKEY_SPEECH_CACHE_MB * 1024 ** 2,
      maxAccountBytes: config.RINGKEY_SPEECH_ACCOUNT_MB * 1024 ** 2,
    },
  });
  lifecycle.add('speech', CLOSE_LIMIT_MS, async () => {
    speech.close();
    connections.close();
  });
  return speech;
}

/** All synthesizers with configured keys: merchants' voices can name any of them. */
function synthesizersOf(config: Config, connections: Connections): Synthesizers {
  const { RINGKEY_SYNTHESIZER: chosen, OPENAI_API_KEY: openaiKey, RINGKEY_TTS_URL: url = null } = config;
  const { GOOGLE_TTS_API_KEY: googleKey, ELEVENLABS_API_KEY: elevenlabsKey, RINGKEY_POLLY_REGION: region } = config;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const all = [createEspeak()];
  if (openaiKey !== undefined || url !== null) {
    requirePackage('openai');
    all.push(createOpenai({ apiKey: openaiKey ?? null, url, model: config.RINGKEY_TTS_MODEL }));
  }
  if (googleKey !== undefined) all.push(createGoogle({ apiKey: googleKey, connections }));
  if (elevenlabsKey !== undefined) all.push(createElevenlabs({ apiKey: elevenlabsKey, connections }));
  if (region !== undefined) {
    requirePackage('@aws-sdk/client-polly');
    const keys = accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey };
    all.push(createPolly({ region, credentials: keys }));
  }
  return new Synthesizers(all, chosen === 'none' ? null : chosen);
}

/** @throws ConfigError that says how to install it */
function requirePackage(name: VendorPackage): void {
  const missing = missingPackage(name);
  if (missing !== null) throw new ConfigError([missing]);
}
