/** Tool calls as Vapi, Retell and ElevenLabs send them, by the definitions of `/agent-tools/<platform>.json`. */

/** Variables of a call on any platform, and those that an earlier tool has set. */
type Variables = Record<string, string>;

/** A tool call as the platform sends it, and the variables that its answer sets. */
interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Record<string, unknown>;
  keeps: readonly string[];
}

const filled = (text: string, variables: Variables) =>
  text.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name: string) => variables[name] ?? whole);

type Properties = Record<string, { type: string; value?: string; const?: string; description?: string }>;

interface VapiTool {
  name: string;
  method: string;
  url: string;
  headers: { properties: Properties };
  body?: { properties: Properties };
  parameters?: { key: string; value: string }[];
  variableExtractionPlan?: { aliases: { key: string; value: string }[] };
}

/** https://docs.vapi.ai/tools/static-variables-and-aliases */
function asVapi(tool: VapiTool, chosen: object, variables: Variables): Sent {
  const fixed = (tool.parameters ?? []).map(({ key, value }) => [key, filled(value, variables)]);
  return {
    method: tool.method,
    url: filled(tool.url, variables),
    headers: { authorization: tool.headers.properties.Authorization?.value ?? '' },
    ...(tool.body !== undefined && { body: Object.assign({}, chosen, Object.fromEntries(fixed)) }),
    keeps: (tool.variableExtractionPlan?.aliases ?? []).map(({ key }) => key),
  };
}

interface RetellTool {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  parameters?: { properties: Properties };
  response_variables?: Record<string, string>;
}

/** https://docs.retellai.com/build/single-multi-prompt/custom-function */
function asRetell(tool: RetellTool, chosen: object, variables: Variables): Sent {
  const constants = Object.entries(tool.parameters?.properties ?? {})
    .filter(([, { const: value }]) => value !== undefined)
    .map(([name, { const: value = '' }]) => [name, filled(value, variables)]);
  return {
    method: tool.method,
    url: filled(tool.url, variables),
    headers: tool.headers,
    ...(tool.parameters !== undefined && { body: Object.assign({}, chosen, Object.fromEntries(constants)) }),
    keeps: Object.values(tool.response_variables ?? {}),
  };
}

interface ElevenlabsSource {
  type: string;
  description?: string;
  constant_value?: string;
  dynamic_variable?: string;
}

interface ElevenlabsTool {
  tool_config: {
    name: string;
    api_schema: {
      method: string;
      url: string;
      request_headers: Record<string, string>;
      path_params_schema?: Record<string, ElevenlabsSource>;
      request_body_schema?: { properties: Record<string, ElevenlabsSource> };
    };
    assignments?: { dynamic_variable: string; value_path: string }[];
  };
}

/** https://elevenlabs.io/docs/api-reference/tools/create */
function asElevenlabs({ tool_config: tool }: ElevenlabsTool, chosen: object, variables: Variables): Sent {
  const { method, url, request_headers: headers, path_params_schema, request_body_schema } = tool.api_schema;
  const values = (properties: Record<string, ElevenlabsSource>) =>
    Object.entries(properties).flatMap(([name, source]) => {
      const value = source.constant_value ?? variables[source.dynamic_variable ?? ''];
      return value === undefined ? [] : [[name, value] as const];
    });
  const path = values(path_params_schema ?? {}).reduce((text, [name, value]) => text.replace(`{${name}}`, value), url);
  const body = Object.fromEntries(values(request_body_schema?.properties ?? {}));
  return {
    method,
    url: path,
    headers,
    ...(request_body_schema !== undefined && { body: Object.assign({}, chosen, body) }),
    keeps: (tool.assignments ?? []).map(({ value_path }) => value_path),
  };
}

interface Interpreter {
  play: (tool: never, chosen: object, variables: Variables) => Sent;
  /** The variables of a call that the platform itself sets. */
  variablesOf: (caller: string, callId: string) => Variables;
}

export const TOOL_PLATFORMS: Readonly<Record<'vapi' | 'retell' | 'elevenlabs', Interpreter>> = {
  vapi: { play: asVapi as never, variablesOf: (caller, id) => ({ 'customer.number': caller, 'call.id': id }) },
  retell: { play: asRetell as never, variablesOf: (caller, id) => ({ user_number: caller, call_id: id }) },
  elevenlabs: {
    play: asElevenlabs as never,
    variablesOf: (caller, id) => ({ system__caller_id: caller, system__conversation_id: id }),
  },
};

type Definitions = readonly { name?: string; tool_config?: { name: string } }[];

/** The definitions at `baseUrl` for one call, with the platform's variables. */
export class PlatformTools {
  readonly variables: Variables;
  readonly #platform: Interpreter;
  readonly #tools: Definitions;
  readonly #returnTo: string;

  private constructor(platform: Interpreter, tools: Definitions, variables: Variables, returnTo: string) {
    this.#platform = platform;
    this.#tools = tools;
    this.variables = variables;
    this.#returnTo = returnTo;
  }

  static async load(
    baseUrl: string,
    name: keyof typeof TOOL_PLATFORMS,
    call: { caller: string; id: string; returnTo: string },
  ): Promise<PlatformTools> {
    const response = await fetch(`${baseUrl}/agent-tools/${name}.json`);
    const platform = TOOL_PLATFORMS[name];
    const tools = (await response.json()) as Definitions;
    return new PlatformTools(platform, tools, platform.variablesOf(call.caller, call.id), call.returnTo);
  }

  /** Calls a tool. @param chosen by the model. @throws if the answer is not 200 */
  async use(name: string, chosen: object = {}): Promise<Record<string, unknown>> {
    const tool = this.#tools.find((each) => (each.name ?? each.tool_config?.name) === name);
    const sent = this.#platform.play(tool as never, chosen, this.variables);
    // The reader of the definitions fills in the agent's own address.
    if (sent.body !== undefined && 'return_to' in sent.body) sent.body.return_to = this.#returnTo;
    const answer = await send(sent);
    for (const key of sent.keeps) this.variables[key] = String(answer[key]);
    return answer;
  }
}

async function send({ method, url, headers, body }: Sent): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
