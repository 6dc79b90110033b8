/**
 * Generates the Node.js client. oazapfts, which is kept by others, writes the types. Its functions keep key and address
 * in their module, so that a process could use only one account, and they rename the fields of a query. So the methods,
 * which are one line each, are written here.
 */
import { generateAst, parseSpec, printAst } from 'oazapfts';
import { createContext } from 'oazapfts/context';
import { type ClientDocument, type ClientOperation, camelCase, type NamedInput, type Schema } from './document.ts';

const NOTICE = '// Generated from the OpenAPI document: see "Client libraries" in .github/CONTRIBUTING.md.\n\n';

/** @returns the content of `generated/types.ts` */
export async function nodeTypes({ schemas }: ClientDocument): Promise<string> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Ringkey', version: '1' },
    paths: {},
    components: { schemas: oneTypeEach(schemas) },
  };
  const spec = await parseSpec(document as Parameters<typeof parseSpec>[0]);
  const source = printAst(await generateAst(createContext(spec, { allSchemas: true, useUnknown: true })));
  // Before the types are the imports and settings of functions, which are not used.
  return NOTICE + source.slice(source.indexOf('export type'));
}

/** Leaves out the type of an enumeration with null: the generator would repeat all values for each of its types. */
function oneTypeEach<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(oneTypeEach) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const { type, enum: values } = value as Schema;
  const isRepeated = Array.isArray(type) && values !== undefined;
  const entries = Object.entries(value).filter(([name]) => !(isRepeated && name === 'type'));
  return Object.fromEntries(entries.map(([name, each]) => [name, oneTypeEach(each)])) as Value;
}

/** @returns the content of `generated/operations.ts` */
export function nodeOperations({ operations }: ClientDocument): string {
  return `${NOTICE}import type { ApiRequest, RequestOptions } from '../request.ts';
import { pathOf } from '../request.ts';
import type * as types from './types.ts';

/** A method for every operation. */
export abstract class Operations {
  protected abstract send<Answer>(request: ApiRequest, options?: RequestOptions): Promise<Answer>;
${operations.map(method).join('')}}
`;
}

function method(operation: ClientOperation): string {
  const { id, summary, path, pathParameters, query, body, file, response } = operation;
  const parameters = [
    ...pathParameters.map((name) => `${camelCase(name)}: string`),
    ...(body === null ? [] : [parameter('body', body)]),
    ...(file === null ? [] : ['file: Uint8Array', `contentType: ${file.map((type) => `'${type}'`).join(' | ')}`]),
    ...(query === null ? [] : [parameter('query', query)]),
    'options?: RequestOptions',
  ];
  const template = path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`);
  const request = [
    `method: '${operation.method}'`,
    pathParameters.length === 0 ? `path: '${path}'` : `path: pathOf\`${template}\``,
    ...(body === null ? [] : ['body']),
    ...(file === null ? [] : ['file', 'contentType']),
    ...(query === null ? [] : ['query']),
  ];
  return `
  /** ${summary}. */
  ${camelCase(id)}(${parameters.join(', ')}): Promise<types.${response}> {
    return this.send({ ${request.join(', ')} }, options);
  }
`;
}

const parameter = (name: string, input: NamedInput) => `${name}: types.${input.name}${input.isRequired ? '' : ' = {}'}`;
