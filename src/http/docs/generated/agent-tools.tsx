/** The tools of agents on the pages of the platforms, and the prompt that they share. */
import { FORMATS, type ToolPlace } from '../../agent-tools/formats.ts';
import { agentTools } from '../../agent-tools/tools.ts';
import type { OperationRoute } from '../../api/reference/operation.ts';
import { CodeBlock } from '../../shared/document.tsx';
import type { Blocks } from '../markdown.tsx';

/** The instruction for the model on every platform. */
export const AGENT_PROMPT = `When the order is complete and the caller is ready to pay, use the payment tool.
- Say the "agent_message" of its answer word for word. If it is null, say
  nothing about payment and continue.
- If payment is required, the call is transferred then. Never say an address.
- Never ask for a card number, an expiry date or a security code,
  and stop a caller who starts to say one.
- When the call comes back, say the outcome once, then continue. If you can use
  get_checkout, its "agent_message" is the sentence to say.
- If the outcome is "pending", say that the payment is being checked and that
  a text will follow. Never offer another way to pay.`;

/** The definitions that a page shows: `tool-vapi` is the first one, `transfer-retell` the last. */
export function platformTools(routes: readonly OperationRoute[], place: ToolPlace): Blocks {
  const tools = agentTools(routes);
  const shown = Object.entries(FORMATS).flatMap(([name, format]) => {
    const definitions = format(tools, place);
    return [
      [`tool-${name}`, definitions[0]],
      [`transfer-${name}`, definitions.at(-1)],
    ] as const;
  });
  return Object.fromEntries(
    shown.map(([name, definition]) => [name, <CodeBlock key={name} text={JSON.stringify(definition, null, 2)} />]),
  );
}
