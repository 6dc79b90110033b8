/**
 * Generates the Python client: a TypedDict for every schema and a method for every operation. The generators for Python
 * that are kept by others are in Python's own registry or need Java, so that tests and CI could not run them here.
 */
import { type ClientDocument, type ClientOperation, nameOf, pascalCase, type Schema } from './document.ts';

const NOTICE = '# Generated from the OpenAPI document: see "Client libraries" in .github/CONTRIBUTING.md.';
const HEAD = `${NOTICE}

from __future__ import annotations

from typing import Any, Literal`;

const RESERVED = new Set(['from', 'class', 'global', 'import', 'in', 'is', 'pass', 'return', 'with']);
const isName = (property: string) => /^[A-Za-z_]\w*$/.test(property) && !RESERVED.has(property);

/** @returns the content of `generated/models.py` */
export function pythonModels({ schemas }: ClientDocument): string {
  const classes = Object.entries(schemas)
    .filter(([name, { properties }]) => properties !== undefined && !name.endsWith('Query'))
    .flatMap(([name, schema]) => typedDicts(name, schema));
  return `${HEAD}, NotRequired, TypedDict

${classes.join('\n\n')}`;
}

/** The class of a schema, after those of the objects in it. */
function typedDicts(name: string, schema: Schema): string[] {
  const properties = Object.entries(schema.properties ?? {});
  const inner = properties.flatMap(([property, each]) => innerDicts(name + pascalCase(property), each));
  const typeOfField = (property: string, each: Schema) => {
    const type = typeOf(each, name + pascalCase(property), '');
    return schema.required?.includes(property) ? type : `NotRequired[${type}]`;
  };
  if (!properties.every(([property]) => isName(property))) {
    // In single quotes, because a Literal has double quotes.
    const fields = properties.map(([property, each]) => `    "${property}": '${typeOfField(property, each)}',`);
    return [...inner, `${name} = TypedDict("${name}", {\n${fields.join('\n')}\n})\n`];
  }
  const fields = properties.map(([property, each]) => {
    const field = `    ${property}: ${typeOfField(property, each)}\n`;
    return each.description === undefined ? field : `${field}    ${docstring(each.description)}\n`;
  });
  const about = schema.description === undefined ? '' : `    ${docstring(schema.description)}\n\n`;
  return [...inner, `class ${name}(TypedDict):\n${about}${fields.join('') || '    pass\n'}`];
}

function innerDicts(
  name: string,
  { properties, items, anyOf, oneOf, additionalProperties, ...rest }: Schema,
): string[] {
  if (properties !== undefined) return typedDicts(name, { properties, ...rest });
  const others = [items, typeof additionalProperties === 'object' ? additionalProperties : undefined];
  return [
    ...others.flatMap((each) => (each === undefined ? [] : innerDicts(name, each))),
    ...variants(anyOf ?? oneOf ?? []).flatMap(({ suffix, schema }) => innerDicts(name + suffix, schema)),
  ];
}

/** Names for the objects of a union: without a number if there is one only. */
function variants(schemas: readonly Schema[]): { suffix: string; schema: Schema }[] {
  const objects = schemas.filter(({ properties }) => properties !== undefined);
  return schemas.map((schema) => ({
    suffix: objects.length < 2 || schema.properties === undefined ? '' : String(objects.indexOf(schema) + 1),
    schema,
  }));
}

/** @param name of the class if the schema is an object @param module prefix of classes */
function typeOf(schema: Schema, name: string, module: string): string {
  if (schema.$ref !== undefined) return module + nameOf(schema);
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    return variants(union)
      .map(({ suffix, schema: each }) => typeOf(each, name + suffix, module))
      .join(' | ');
  }
  return (
    [schema.type ?? []]
      .flat()
      .map((type) => plainType(type, schema, name, module))
      .join(' | ') || 'Any'
  );
}

function plainType(type: string, schema: Schema, name: string, module: string): string {
  const { items = {}, properties, additionalProperties } = schema;
  const ofFields = typeof additionalProperties === 'object' ? typeOf(additionalProperties, name, module) : 'Any';
  if (type === 'array') return `list[${typeOf(items, name, module)}]`;
  if (type === 'object') return properties === undefined ? `dict[str, ${ofFields}]` : module + name;
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type] ?? 'Any';
}

const literal = (value: unknown) =>
  value === null ? 'None' : typeof value === 'boolean' ? pascalCase(String(value)) : JSON.stringify(value);

const docstring = (text: string) => `"""${escaped(text)}"""`;
const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

/** @returns the content of `generated/operations.py` */
export function pythonOperations({ operations, schemas }: ClientDocument): string {
  return `${HEAD}

from .. import _request
from .._request import UNSET, Unset, path_of
from . import models


class Operations(_request.Sender):
    """A method for every operation."""
${operations.map((operation) => method(operation, schemas)).join('')}`;
}

interface Argument {
  name: string;
  /** In the body or query. */
  field: string;
  type: string;
  isRequired: boolean;
  description: string;
}

function method(operation: ClientOperation, schemas: Readonly<Record<string, Schema>>): string {
  const { id, summary, path, pathParameters, response, body, file, query } = operation;
  const isPost = operation.method === 'POST';
  const fields = [body, query].flatMap((input) => (input === null ? [] : argumentsOf(input.name, schemas[input.name])));
  const parameters = [
    'self',
    ...pathParameters.map((name) => `${name}: str`),
    '*',
    ...(file === null ? [] : ['file: bytes', `content_type: Literal[${file.map(literal).join(', ')}]`]),
    ...fields.map(({ name, type, isRequired }) =>
      isRequired ? `${name}: ${type}` : `${name}: ${type} | Unset = UNSET`,
    ),
    ...(isPost ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
  ];
  const place = pathParameters.length === 0 ? `"${path}"` : `path_of("${path}", ${pathParameters.join(', ')})`;
  const input = fields.map(({ name, field }) => `"${field}": ${name}`).join(', ');
  const sent = [
    `"${operation.method}"`,
    place,
    ...(body === null ? [] : [`body={${input}}`]),
    ...(file === null ? [] : ['file=file', 'content_type=content_type']),
    ...(query === null ? [] : [`query={${input}}`]),
    ...(isPost ? ['idempotency_key=idempotency_key'] : []),
    'timeout=timeout',
  ];
  return `
    def ${id}(
        ${parameters.join(',\n        ')},
    ) -> models.${response}:
        """${escaped(summary)}.${about(fields)}"""
        answer: models.${response} = self._send(
            ${sent.join(',\n            ')},
        )
        return answer
`;
}

function argumentsOf(name: string, schema: Schema | undefined): Argument[] {
  const required = schema?.required ?? [];
  const fields = Object.entries(schema?.properties ?? {}).map(([field, each]) => ({
    name: RESERVED.has(field) ? `${field}_` : field,
    field,
    type: typeOf(each, name + pascalCase(field), 'models.'),
    isRequired: required.includes(field),
    description: each.description ?? '',
  }));
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

function about(fields: readonly Argument[]): string {
  if (fields.length === 0) return '';
  const lines = fields.map(({ name, description }) => `            ${name}: ${escaped(description)}`);
  return `\n\n        Args:\n${lines.join('\n')}\n        `;
}
