/**
 * Renders docker/chart as `helm template` does, with the functions that the chart uses. It is stricter: a missing value
 * is an error, while Helm prints an empty text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { type Node, type Operand, type Pipe, parseTemplate } from './syntax.ts';

type Values = { [name: string]: unknown };

/** A Kubernetes object. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

interface Chart {
  metadata: { name: string; version: string; appVersion: string };
  values: Values;
  /** By file name. */
  templates: ReadonlyMap<string, Node[]>;
  readFile(path: string): string;
}

/** @param folder with a slash at its end */
export function readChart(folder: URL): Chart {
  const readFile = (path: string) => readFileSync(new URL(path, folder), 'utf8');
  const files = readdirSync(new URL('templates/', folder)).sort();
  return {
    metadata: parse(readFile('Chart.yaml')) as Chart['metadata'],
    values: parse(readFile('values.yaml')) as Values,
    templates: new Map(files.map((file) => [file, parseTemplate(readFile(`templates/${file}`))])),
    readFile,
  };
}

/** @param values merged over the chart's own. @throws as Helm does, for example from `required` */
export function renderChart(chart: Chart, values: Values): Manifest[] {
  const { name, version, appVersion } = chart.metadata;
  const root = {
    Values: merged(chart.values, values),
    Release: { Name: 'pay', Namespace: 'default', Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Files: { Get: chart.readFile },
  };
  const renderer = new Renderer([...chart.templates.values()].flat());
  return [...chart.templates].flatMap(([file, nodes]) => {
    if (file.startsWith('_')) return [];
    const text = renderer.render(nodes, root);
    return parseAllDocuments(text).flatMap((document) => {
      const [fault] = document.errors;
      if (fault !== undefined) throw new Error(`${file}: ${fault.message}`);
      const manifest = document.toJS() as Manifest | null;
      return manifest === null ? [] : [manifest];
    });
  });
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(base: Values, over: Values): Values {
  const entries = Object.entries(over).map(([name, value]) => {
    const before = base[name];
    return [name, isMap(before) && isMap(value) ? merged(before, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(entries) };
}

interface Scope {
  dot: unknown;
  variables: Map<string, unknown>;
}

class Renderer {
  readonly #defined: ReadonlyMap<string, Node[]>;
  readonly #functions: Readonly<Record<string, (...values: never[]) => unknown>>;

  constructor(nodes: readonly Node[]) {
    this.#defined = new Map(nodes.flatMap((node) => (node.kind === 'define' ? [[node.name, node.body]] : [])));
    this.#functions = { ...FUNCTIONS, include: (name: string, dot: unknown) => this.#include(name, dot) };
  }

  render(nodes: readonly Node[], dot: unknown): string {
    return this.#block(nodes, { dot, variables: new Map([['$', dot]]) });
  }

  #include(name: string, dot: unknown): string {
    const nodes = this.#defined.get(name);
    if (nodes === undefined) throw new Error(`no template is called ${name}`);
    return this.render(nodes, dot);
  }

  #block(nodes: readonly Node[], { dot, variables }: Scope): string {
    const scope = { dot, variables: new Map(variables) };
    return nodes.map((node) => this.#node(node, scope)).join('');
  }

  #node(node: Node, scope: Scope): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'define':
        return '';
      case 'print':
        return printed(this.#pipe(node.pipe, scope));
      case 'set':
        scope.variables.set(node.variable, this.#pipe(node.pipe, scope));
        return '';
      case 'range':
        return this.#range(node, scope);
      default: {
        const value = this.#pipe(node.pipe, scope);
        if (!isTrue(value)) return this.#block(node.otherwise, scope);
        return this.#block(node.body, node.kind === 'with' ? { ...scope, dot: value } : scope);
      }
    }
  }

  #range({ pipe, variables: names, body }: Node & { kind: 'range' }, scope: Scope): string {
    const items = this.#pipe(pipe, scope);
    const entries = isMap(items)
      ? Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1))
      : [...(items as unknown[]).entries()];
    const [key, value] = names.length === 2 ? names : [undefined, names[0]];
    return entries
      .map(([name, dot]) => {
        const variables = new Map(scope.variables);
        if (key !== undefined) variables.set(key, name);
        if (value !== undefined) variables.set(value, dot);
        return this.#block(body, { dot, variables });
      })
      .join('');
  }

  #pipe(pipe: Pipe, scope: Scope): unknown {
    return pipe.reduce<unknown[]>((last, command) => [this.#command(command, scope, last)], [])[0];
  }

  #command([first, ...rest]: readonly Operand[], scope: Scope, last: readonly unknown[]): unknown {
    if (first === undefined) throw new Error('a command is empty');
    const values = [...rest.map((operand) => this.#operand(operand, scope)), ...last];
    if (first.kind === 'function') return this.#call(first.name, values);
    const value = this.#operand(first, scope);
    if (values.length === 0) return value;
    if (typeof value !== 'function') throw new Error('something that is not a function has arguments');
    return value(...values);
  }

  #operand(operand: Operand, scope: Scope): unknown {
    if (operand.kind === 'literal') return operand.value;
    if (operand.kind === 'function') return this.#call(operand.name, []);
    if (operand.kind === 'pipe') return fieldOf(this.#pipe(operand.pipe, scope), operand.fields);
    const { root, fields } = operand;
    if (root === '.') return fieldOf(scope.dot, fields);
    if (!scope.variables.has(root)) throw new Error(`${root} is not defined`);
    return fieldOf(scope.variables.get(root), fields);
  }

  #call(name: string, values: readonly unknown[]): unknown {
    const call = this.#functions[name];
    if (call === undefined) throw new Error(`no function is called ${name}`);
    return call(...(values as never[]));
  }
}

function fieldOf(value: unknown, fields: readonly string[]): unknown {
  return fields.reduce((parent, name) => {
    if (!isMap(parent)) throw new Error(`${name} is read from something that has no fields`);
    return parent[name];
  }, value);
}

function printed(value: unknown): string {
  if (value === undefined || value === null) throw new Error('a value that is missing is printed');
  if (typeof value === 'object') throw new Error('a map or list is printed without toYaml');
  return String(value);
}

function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** As in Go's library, sprig and Helm. */
const FUNCTIONS = {
  add: (...numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0),
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  eq: (a: unknown, b: unknown) => isDeepStrictEqual(a, b),
  list: (...items: unknown[]) => items,
  nindent: (spaces: number, text: string) => `\n${indented(spaces, text)}`,
  not: (value: unknown) => !isTrue(value),
  or: (...values: unknown[]) => values.find(isTrue) ?? values.at(-1),
  quote: (value: unknown) => JSON.stringify(printed(value)),
  required(message: string, value: unknown) {
    if (value === undefined || value === null || value === '') throw new Error(message);
    return value;
  },
  toYaml: (value: unknown) => stringify(value, { sortMapEntries: true, indentSeq: false, lineWidth: 0 }).trimEnd(),
};

const indented = (spaces: number, text: string) =>
  ' '.repeat(spaces) + text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
