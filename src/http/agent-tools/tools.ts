/** The operations that an agent calls as tools: for MCP, and for the function definitions of voice platforms. */
import { z } from 'zod';
import type { OperationRoute } from '../api/reference/operation.ts';
import { type JsonSchema, standaloneSchema } from '../api/reference/schema.ts';

interface ToolDescription {
  name: string;
  title: string;
  /** The ID of the operation. */
  operation: string;
  /** For the model. */
  description: string;
  /** Hints of MCP: https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations */
  hints: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

const SPEAK = 'If an error has an "agent_message", say it word for word. If it is null, do not raise payment.';

const TOOLS: readonly ToolDescription[] = [
  {
    name: 'create_checkout',
    title: 'Create a checkout',
    operation: 'create_checkout',
    description: `Call once, when the order is complete and the caller is ready to pay. Say "agent_message" word for word. If "transfer_to" is not null, transfer the call there, and never say that address. If it is null, do not transfer. ${SPEAK}`,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  },
  {
    name: 'get_checkout',
    title: 'Retrieve a checkout',
    operation: 'retrieve_checkout_session',
    description:
      'Retrieves a checkout and its charge, for example after the call has returned from the payment line. Say "agent_message" word for word if it is not null. If "charge.status" is "pending", the outcome is not known yet: never take another payment for this order.',
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'send_link',
    title: 'Text a pay link',
    operation: 'send_link',
    description: `Texts the caller a link to pay the checkout on a page. If "sent" is false, do not say that a text was sent. ${SPEAK}`,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'charge_saved_card',
    title: 'Charge a saved card',
    operation: 'charge',
    description: `Charges the saved card that the caller chose. Name a card of "cards" by its brand and last four digits, and call this only after the caller has agreed to that card. If the caller adds a tip or pays a part, say the total first, and never choose an amount yourself. Never ask for a card number. ${SPEAK}`,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  },
];

export interface AgentTool extends Omit<ToolDescription, 'operation'> {
  operation: OperationRoute;
  /** The fields of the path, the query and the body in one object. */
  input: JsonSchema;
  output: JsonSchema;
}

/** @throws Error if there is no such operation */
export function agentTools(operations: readonly OperationRoute[]): readonly AgentTool[] {
  return TOOLS.map(({ operation: id, ...tool }) => {
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`the tool ${tool.name} has no operation ${id}`);
    const output = standaloneSchema(operation.response, 'output');
    return { ...tool, operation, input: inputSchema(operation), output };
  });
}

function inputSchema({ params, query, request }: OperationRoute): JsonSchema {
  const parts = [params, query, request]
    .filter((part) => part !== undefined)
    .map((part) => standaloneSchema(part, 'input'));
  const isStrict = request instanceof z.ZodObject && request.def.catchall instanceof z.ZodNever;
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as JsonSchema,
    required: parts.flatMap(({ required = [] }) => required as string[]),
    ...(isStrict && { additionalProperties: false }),
  };
}
