/** Scripts and styles of the docs. Scalar's script comes from its package. */
import { readFromPackage, type StaticAsset, staticAsset } from '../shared/static-assets.ts';
import { startScript } from './reference.tsx';
import { STYLE } from './style.ts';

const FOLDER = '/docs/assets';

/** @param demoKey the key that the API reference fills in; null: the reader enters one */
export const docsAssets = (demoKey: string | null): StaticAsset[] => [
  staticAsset(FOLDER, 'style.css', Buffer.from(STYLE)),
  staticAsset(FOLDER, 'reference.js', Buffer.from(startScript(demoKey))),
  staticAsset(FOLDER, 'scalar.js', readFromPackage('@scalar/fastify-api-reference', 'js/standalone.js')),
];
