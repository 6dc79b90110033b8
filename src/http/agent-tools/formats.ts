/** The tools as function definitions, in the form of each platform. */
import { type Argument, modelSchema, type Source, toolArguments } from './arguments.ts';
import type { AgentTool } from './tools.ts';

/** What the definitions contain of the reader's own. */
export interface ToolPlace {
  baseUrl: string;
  /** The API key, or a name for it. */
  key: string;
  /** The merchant's ID, or a name for it. */
  merchant: string;
}

type Format = (tools: readonly AgentTool[], place: ToolPlace) => readonly object[];

/** By the name of the file: `/agent-tools/openai.json`. */
export const FORMATS: Readonly<Record<string, Format>> = { openai, anthropic, vapi, retell, elevenlabs, livekit };

/**
 * Functions of the Realtime API. The Responses API takes them with `strict: false`.
 * https://developers.openai.com/api/docs/guides/function-calling
 */
function openai(tools: readonly AgentTool[]) {
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: modelSchema(tool),
  }));
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use */
function anthropic(tools: readonly AgentTool[]) {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: modelSchema(tool),
  }));
}

/**
 * Raw schemas of function tools, for `function_tool(raw_schema=…)`.
 * https://docs.livekit.io/agents/logic/tools/definition/
 */
function livekit(tools: readonly AgentTool[]) {
  return openai(tools);
}

const RETURN_TO: Readonly<Record<'vapi' | 'retell' | 'elevenlabs', string>> = {
  vapi: 'sip:YOUR_ASSISTANT@sip.vapi.ai',
  retell: 'YOUR_AGENT_NUMBER',
  elevenlabs: 'YOUR_AGENT_NUMBER',
};

/**
 * `apiRequest` tools. Static `parameters` override what the model sends, and are never shown to it.
 * https://docs.vapi.ai/tools/static-variables-and-aliases, https://docs.vapi.ai/tools/default-tools
 */
function vapi(tools: readonly AgentTool[], place: ToolPlace) {
  const values: Record<Source, string> = {
    model: '',
    merchant: place.merchant,
    caller: '{{ customer.number }}',
    call: '{{ call.id }}',
    agent: RETURN_TO.vapi,
    session: '{{ checkout_session_id }}',
  };
  return tools.map((tool) => ({
    type: 'apiRequest',
    name: tool.name,
    description: tool.description,
    method: tool.operation.method.toUpperCase(),
    url: urlOf(tool, place, ({ source }) => values[source]),
    headers: { type: 'object', properties: { Authorization: { type: 'string', value: `Bearer ${place.key}` } } },
    ...(tool.operation.method === 'post' && {
      body: modelSchema(tool),
      parameters: fixed(tool).map(({ name, source }) => ({ key: name, value: values[source] })),
    }),
    ...(isCreate(tool) && {
      variableExtractionPlan: { aliases: RETURNED.map((key) => ({ key, value: `{{ ${key} }}` })) },
    }),
  }));
}

/**
 * Custom functions, and the transfer to the address that the first one returned.
 * https://docs.retellai.com/build/single-multi-prompt/custom-function, https://docs.retellai.com/build/dynamic-variables
 */
function retell(tools: readonly AgentTool[], place: ToolPlace) {
  const values: Record<Source, string> = {
    model: '',
    merchant: place.merchant,
    caller: '{{user_number}}',
    call: '{{call_id}}',
    agent: RETURN_TO.retell,
    session: '{{checkout_session_id}}',
  };
  const functions = tools.map((tool) => {
    const { type, properties, required } = modelSchema(tool);
    const constants = fixed(tool).map(({ name, source }) => [name, { type: 'string', const: values[source] }]);
    return {
      type: 'custom',
      name: tool.name,
      description: tool.description,
      method: tool.operation.method.toUpperCase(),
      url: urlOf(tool, place, ({ source }) => values[source]),
      headers: { Authorization: `Bearer ${place.key}` },
      ...(tool.operation.method === 'post' && {
        args_at_root: true,
        parameters: { type, properties: Object.assign({}, properties, Object.fromEntries(constants)), required },
      }),
      ...(isCreate(tool) && { response_variables: Object.fromEntries(RETURNED.map((key) => [key, key])) }),
      speak_after_execution: true,
    };
  });
  const transfer = {
    type: 'transfer_call',
    name: 'transfer_to_payment',
    description: TRANSFER,
    transfer_destination: { type: 'predefined', number: '{{transfer_to}}' },
    transfer_option: { type: 'cold_transfer', cold_transfer_mode: 'sip_invite', show_transferee_as_caller: true },
  };
  return [...functions, transfer];
}

const TRANSFER =
  'Transfers the caller to the payment line. Use it right after you have said the "agent_message" of create_checkout, if its "payment_required" is "required".';

/**
 * Webhook tools, each as the body of `POST /v1/convai/tools`, and the system tool for the transfer. `sanitize` keeps
 * addresses and the code from the model and the transcript.
 * https://elevenlabs.io/docs/api-reference/tools/create, https://elevenlabs.io/docs/eleven-agents/customization/personalization/dynamic-variables
 */
function elevenlabs(tools: readonly AgentTool[], place: ToolPlace) {
  const webhooks = tools.map((tool) => {
    const { operation } = tool;
    const inPath = toolArguments(tool).filter(({ isInPath }) => isInPath);
    return {
      tool_config: {
        type: 'webhook',
        name: tool.name,
        description: tool.description,
        api_schema: {
          url: urlOf(tool, place, ({ name }) => `{${name}}`),
          method: operation.method.toUpperCase(),
          request_headers: { Authorization: `Bearer ${place.key}` },
          ...(inPath.length > 0 && { path_params_schema: elevenlabsProperties(inPath, place) }),
          ...(operation.method === 'post' && { request_body_schema: elevenlabsBody(tool, place) }),
        },
        ...(isCreate(tool) && {
          assignments: RETURNED.map((name) => ({
            source: 'response',
            dynamic_variable: name,
            value_path: name,
            sanitize: name !== 'checkout_session_id',
          })),
        }),
      },
    };
  });
  return [...webhooks, { tool_config: elevenlabsTransfer() }];
}

function elevenlabsBody(tool: AgentTool, place: ToolPlace) {
  const given = toolArguments(tool);
  return {
    type: 'object',
    properties: elevenlabsProperties(given, place),
    required: given.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** Each property has one source: a description for the model, a constant or a variable. */
function elevenlabsProperties(given: readonly Argument[], place: ToolPlace) {
  const values: Record<Exclude<Source, 'model'>, object> = {
    merchant: { constant_value: place.merchant },
    caller: { dynamic_variable: 'system__caller_id' },
    call: { dynamic_variable: 'system__conversation_id' },
    agent: { constant_value: RETURN_TO.elevenlabs },
    session: { dynamic_variable: 'checkout_session_id' },
  };
  return Object.fromEntries(
    given.map(({ name, source, schema }) => {
      const value = source === 'model' ? { description: schema.description } : values[source];
      return [name, Object.assign({ type: schema.type }, value)];
    }),
  );
}

/** https://elevenlabs.io/docs/eleven-agents/customization/tools/system-tools/transfer-to-number */
function elevenlabsTransfer() {
  const transfer = {
    transfer_destination: { type: 'sip_uri_dynamic_variable', sip_uri: 'transfer_to' },
    transfer_type: 'sip_refer',
    condition: TRANSFER,
  };
  return {
    type: 'system',
    name: 'transfer_to_number',
    description: TRANSFER,
    params: { system_tool_type: 'transfer_to_number', transfers: [transfer] },
  };
}

/** Of the answer to `create_checkout`, for the transfer and the other tools. */
const RETURNED = ['checkout_session_id', 'transfer_to', 'transfer_to_number', 'transfer_code'] as const;

const isCreate = ({ operation }: AgentTool) => operation.id === 'create_checkout';

/** The arguments in the body that the model does not choose. */
const fixed = (tool: AgentTool) =>
  toolArguments(tool).filter(({ source, isInPath }) => source !== 'model' && !isInPath);

function urlOf(tool: AgentTool, { baseUrl }: ToolPlace, fillWith: (argument: Argument) => string): string {
  const inPath = toolArguments(tool).filter(({ isInPath }) => isInPath);
  const fill = (path: string, argument: Argument) => path.replace(`{${argument.name}}`, fillWith(argument));
  return baseUrl + inPath.reduce(fill, tool.operation.path);
}
