/** Parses the part of Go's text/template that docker/chart uses (pkg.go.dev/text/template). */

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; pipe: Pipe }
  /** `else if` is an `if` in `otherwise`. */
  | { kind: 'if' | 'with'; pipe: Pipe; body: Node[]; otherwise: Node[] }
  | { kind: 'range'; pipe: Pipe; variables: string[]; body: Node[] }
  | { kind: 'set'; variable: string; pipe: Pipe }
  | { kind: 'define'; name: string; body: Node[] };

/** Commands from left to right; the result of one is the last argument of the next. */
export type Pipe = Operand[][];

/** `fields` are read from the value: `.Values.api` has the root `.` and two fields. */
export type Operand =
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'field'; root: string; fields: string[] }
  | { kind: 'pipe'; pipe: Pipe; fields: string[] }
  | { kind: 'function'; name: string };

const ACTION = /\{\{(- )?\s*((?:"(?:\\.|[^"\\])*"|(?!\}\}| -\}\})[\s\S])*?)\s*( -)?\}\}/g;
const TOKEN = /\s*("(?:\\.|[^"\\])*"|:=|[|(),]|-?\d+(?:\.\d+)?(?![\w.])|[$.]?[\w.]*)/y;

/** @throws for syntax that this subset does not have */
export function parseTemplate(text: string): Node[] {
  const pieces = split(text);
  const nodes = new Parser(pieces).block([]);
  return nodes;
}

type Piece = { text: string } | { action: string };

/** Texts and actions in turn, without comments and without the space that `{{-` and `-}}` trim. */
function split(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let trimsNext = false;
  const push = (raw: string, trimsEnd: boolean) => {
    const started = trimsNext ? raw.trimStart() : raw;
    pieces.push({ text: trimsEnd ? started.trimEnd() : started });
  };
  for (const match of text.matchAll(ACTION)) {
    const [whole, trimsBefore, action = '', trimsAfter] = match;
    push(text.slice(end, match.index), trimsBefore !== undefined);
    if (!action.startsWith('/*')) pieces.push({ action });
    end = match.index + whole.length;
    trimsNext = trimsAfter !== undefined;
  }
  push(text.slice(end), false);
  return pieces;
}

class Parser {
  readonly #pieces: readonly Piece[];
  #at = 0;
  /** The action that ended the last block. */
  #ending = '';

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** Up to one of `ends`, or to the end of the file. */
  block(ends: readonly string[]): Node[] {
    const nodes: Node[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at];
      this.#at += 1;
      if (piece === undefined) {
        if (ends.length > 0) throw new Error(`a block has no {{ ${ends.join(' }} or {{ ')} }}`);
        return nodes;
      }
      if ('text' in piece) nodes.push({ kind: 'text', text: piece.text });
      else if (ends.some((word) => piece.action === word || piece.action.startsWith(`${word} `))) {
        this.#ending = piece.action;
        return nodes;
      } else nodes.push(this.#action(piece.action));
    }
  }

  #action(action: string): Node {
    const [word = '', rest = ''] = /^(\w+)\s+([\s\S]*)$/.exec(action)?.slice(1) ?? [];
    if (word === 'if' || word === 'with') return this.#branch(word, rest);
    if (word === 'range') return this.#range(rest);
    if (word === 'define') return { kind: 'define', name: JSON.parse(rest) as string, body: this.block(['end']) };
    const [, variable, assigned] = /^(\$\w+)\s*:=\s*([\s\S]*)$/.exec(action) ?? [];
    if (variable !== undefined && assigned !== undefined) return { kind: 'set', variable, pipe: parsePipe(assigned) };
    return { kind: 'print', pipe: parsePipe(action) };
  }

  #branch(kind: 'if' | 'with', condition: string): Node {
    const body = this.block(['else', 'end']);
    const [, elseIf] = /^else if ([\s\S]*)$/.exec(this.#ending) ?? [];
    const pipe = parsePipe(condition);
    if (elseIf !== undefined) return { kind, pipe, body, otherwise: [this.#branch('if', elseIf)] };
    const otherwise = this.#ending === 'else' ? this.block(['end']) : [];
    return { kind, pipe, body, otherwise };
  }

  #range(text: string): Node {
    const [, names, source] = /^((?:\$\w+\s*,\s*)?\$\w+)\s*:=\s*([\s\S]*)$/.exec(text) ?? [];
    const variables = names?.split(',').map((name) => name.trim()) ?? [];
    return { kind: 'range', pipe: parsePipe(source ?? text), variables, body: this.block(['end']) };
  }
}

function parsePipe(text: string): Pipe {
  const tokens = tokensOf(text);
  const pipe = takePipe(tokens);
  if (tokens.length > 0) throw new Error(`unexpected ${tokens[0]} in: ${text}`);
  return pipe;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match?.[1]; match = TOKEN.exec(text)) {
    tokens.push(match[1]);
    if (TOKEN.lastIndex === text.length) return tokens;
  }
  throw new Error(`not understood: ${text}`);
}

function takePipe(tokens: string[]): Pipe {
  const pipe: Pipe = [[]];
  while (tokens.length > 0 && tokens[0] !== ')') {
    const token = tokens.shift() ?? '';
    if (token === '|') pipe.push([]);
    else pipe.at(-1)?.push(operandOf(token, tokens));
  }
  if (pipe.some((command) => command.length === 0)) throw new Error('a command is empty');
  return pipe;
}

function operandOf(token: string, tokens: string[]): Operand {
  if (token === '(') {
    const pipe = takePipe(tokens);
    if (tokens.shift() !== ')') throw new Error('a parenthesis is not closed');
    const fields = tokens[0]?.startsWith('.') ? (tokens.shift() ?? '').slice(1).split('.') : [];
    return { kind: 'pipe', pipe, fields };
  }
  if (token.startsWith('"')) return { kind: 'literal', value: JSON.parse(token) as string };
  if (/^-?\d/.test(token)) return { kind: 'literal', value: Number(token) };
  if (token === 'true' || token === 'false') return { kind: 'literal', value: token === 'true' };
  const [, root, path = ''] = /^(\$\w*|\.)(?:\.?)([\w.]*)$/.exec(token) ?? [];
  if (root !== undefined) return { kind: 'field', root, fields: path.split('.').filter((name) => name !== '') };
  return { kind: 'function', name: token };
}
