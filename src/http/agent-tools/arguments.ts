/**
 * The arguments of a tool by their source. A model chooses the order and the card, and nothing else: merchant, caller and
 * call come from the platform, and the session from an earlier answer.
 */
import type { JsonSchema } from '../api/reference/schema.ts';
import type { AgentTool } from './tools.ts';

export type Source = 'model' | 'merchant' | 'caller' | 'call' | 'agent' | 'session';

const SOURCES: Readonly<Record<string, Source>> = {
  merchant_id: 'merchant',
  caller_phone: 'caller',
  platform_call_id: 'call',
  return_to: 'agent',
  order_id: 'model',
  amount_cents: 'model',
  instrument_id: 'model',
  checkout_session_id: 'session',
};

export interface Argument {
  name: string;
  source: Source;
  schema: JsonSchema;
  isRequired: boolean;
  isInPath: boolean;
}

/** The arguments of a tool for voice platforms. Its other fields are left out. */
export function toolArguments({ input, operation }: AgentTool): readonly Argument[] {
  const { properties, required } = input as { properties: Record<string, JsonSchema>; required: string[] };
  return Object.entries(SOURCES).flatMap(([name, source]) => {
    const schema = properties[name];
    if (schema === undefined) return [];
    const isInPath = operation.path.includes(`{${name}}`);
    return [{ name, source, schema: plainSchema(schema), isRequired: required.includes(name), isInPath }];
  });
}

/** Type and description: the platforms know different subsets of JSON Schema, and these are in all of them. */
const plainSchema = ({ type, description }: JsonSchema): JsonSchema => ({ type, description });

/** The JSON Schema of the arguments that a model chooses. */
export function modelSchema(tool: AgentTool) {
  const chosen = toolArguments(tool).filter(({ source }) => source === 'model');
  return {
    type: 'object' as const,
    properties: Object.fromEntries(chosen.map(({ name, schema }) => [name, schema])),
    required: chosen.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}
