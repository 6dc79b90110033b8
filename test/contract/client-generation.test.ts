/** The generated files of the client libraries match the OpenAPI document. `npm test -- <this file> -u` writes them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientDocument, type OpenApiDocument, readDocument } from '../../src/clients/generate/document.ts';
import { nodeOperations, nodeTypes } from '../../src/clients/generate/node.ts';
import { pythonModels, pythonOperations } from '../../src/clients/generate/python.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
let document: ClientDocument;
beforeAll(async () => {
  api = await startTestApi();
  const { body } = await api.app.inject({ url: '/openapi.json', headers: { host: 'ringkey.example.com' } });
  document = readDocument(JSON.parse(body) as OpenApiDocument);
});
afterAll(() => api.close());

const NODE = '../../src/clients/node/src/generated';
const PYTHON = '../../src/clients/python/src/ringkey/generated';

test('the Node.js client has the types and operations of the OpenAPI document', async () => {
  await expect(await nodeTypes(document)).toMatchFileSnapshot(`${NODE}/types.ts`);
  await expect(nodeOperations(document)).toMatchFileSnapshot(`${NODE}/operations.ts`);
});

test('the Python client has the types and operations of the OpenAPI document', async () => {
  await expect(pythonModels(document)).toMatchFileSnapshot(`${PYTHON}/models.py`);
  await expect(pythonOperations(document)).toMatchFileSnapshot(`${PYTHON}/operations.py`);
});
