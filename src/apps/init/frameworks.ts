/** How one framework is healed: the two lines that a project needs, and where they belong. */
export interface Framework {
  readonly id: string
  readonly name: string
  /** Packages that show that it is used: of npm, or of Python. */
  readonly packages: readonly string[]
  readonly lines: readonly [string, string]
  /** A path inside the package. */
  readonly page: string
  /** Where the second line belongs, if that can be found in code. */
  readonly place?: Place
}

export interface Place {
  /** Packages that the file must import from. */
  readonly from: readonly string[]
  /** What takes the options, up to its opening parenthesis. */
  readonly call: RegExp
  /** The option, and its value. */
  readonly key: string
  readonly value: string
  /** The import that the value needs. */
  readonly name: string
  readonly subpath: string
  /** Another import of the same subpath that makes the option unnecessary in its file. */
  readonly instead?: string
}

const fetchPlace = (from: string, call: RegExp): Place => ({
  ...{ from: [from], call, key: 'fetch', value: 'healFetch()' },
  ...{ name: 'healFetch', subpath: 'antiphon/fetch' },
})

const importOf = ({ name, subpath }: Pick<Place, 'name' | 'subpath'>): string => `import { ${name} } from '${subpath}'`

const fetchImport = importOf({ name: 'healFetch', subpath: 'antiphon/fetch' })

const adapter = (place: Place, second: string): Pick<Framework, 'lines' | 'place'> => ({
  lines: [importOf(place), second],
  place,
})

/** What a project in JavaScript or TypeScript may use. */
export const frameworks: readonly Framework[] = [
  {
    ...{ id: 'openai', name: 'OpenAI SDK', packages: ['openai'], page: 'docs/fetch.md' },
    ...adapter(fetchPlace('openai', /\bnew (?:Azure)?OpenAI\(/g), 'new OpenAI({ fetch: healFetch() })'),
  },
  {
    ...{ id: 'anthropic', name: 'Anthropic SDK', packages: ['@anthropic-ai/sdk'], page: 'docs/fetch.md' },
    ...adapter(fetchPlace('@anthropic-ai/sdk', /\bnew Anthropic\(/g), 'new Anthropic({ fetch: healFetch() })'),
  },
  {
    ...{ id: 'google', name: 'Google Gen AI SDK', packages: ['@google/genai'], page: 'docs/fetch.md' },
    ...adapter(
      {
        ...fetchPlace('@google/genai', /\bnew GoogleGenAI\(/g),
        ...{ key: 'httpOptions', value: '{ fetch: healFetch() }' },
      },
      'new GoogleGenAI({ httpOptions: { fetch: healFetch() } })',
    ),
  },
  {
    ...{ id: 'ai-sdk', name: 'AI SDK', packages: ['ai'], page: 'docs/ai-sdk.md' },
    ...adapter(
      {
        ...{ from: ['ai'], call: /\b(?:streamText|generateText)\(/g, key: 'prepareStep', value: 'healSteps()' },
        // The messages of a journal are not malformed.
        ...{ name: 'healSteps', subpath: 'antiphon/adapters/ai-sdk', instead: 'chatHandler' },
      },
      'streamText({ prepareStep: healSteps(), ... })',
    ),
  },
  {
    ...{ id: 'langchain', name: 'LangChain', packages: ['langchain', '@langchain/langgraph', '@langchain/core'] },
    page: 'docs/langchain.md',
    ...adapter(
      {
        ...{ from: ['langchain'], call: /\bcreateAgent\(/g, key: 'middleware', value: '[healMiddleware()]' },
        ...{ name: 'healMiddleware', subpath: 'antiphon/adapters/langchain' },
      },
      'createAgent({ middleware: [healMiddleware()], ... })',
    ),
  },
  {
    ...{ id: 'openai-agents', name: 'OpenAI Agents SDK', packages: ['@openai/agents', '@openai/agents-core'] },
    page: 'docs/openai-agents.md',
    ...adapter(
      {
        from: ['@openai/agents', '@openai/agents-core'],
        ...{ call: /\bnew Runner\(/g, key: 'callModelInputFilter', value: 'healInputFilter()' },
        ...{ name: 'healInputFilter', subpath: 'antiphon/adapters/openai-agents' },
      },
      'new Runner({ callModelInputFilter: healInputFilter() })',
    ),
  },
  {
    ...{ id: 'mastra', name: 'Mastra', packages: ['@mastra/core'], page: 'docs/mastra.md' },
    ...adapter(
      {
        from: ['@mastra/core/agent', '@mastra/core'],
        ...{ call: /\bnew Agent\(/g, key: 'inputProcessors', value: '[healProcessor()]' },
        ...{ name: 'healProcessor', subpath: 'antiphon/adapters/mastra' },
      },
      'new Agent({ inputProcessors: [healProcessor()], ... })',
    ),
  },
  {
    ...{ id: 'copilotkit', name: 'CopilotKit', packages: ['@copilotkit/runtime'], page: 'docs/fetch.md' },
    lines: [fetchImport, 'new OpenAIAdapter({ openai: new OpenAI({ fetch: healFetch() }) })'],
  },
  {
    ...{ id: 'aws-sdk', name: 'AWS SDK for Bedrock', packages: ['@aws-sdk/client-bedrock-runtime'] },
    page: 'docs/aws-sdk.md',
    lines: ["import { healPlugin } from 'antiphon/adapters/aws-sdk'", 'client.middlewareStack.use(healPlugin())'],
  },
]

/** A project that calls an API by `fetch`, without a client library. */
export const plainFetch: Framework = {
  ...{ id: 'fetch', name: 'fetch', packages: [], page: 'docs/fetch.md' },
  lines: [fetchImport, 'const fetch = healFetch()'],
}

/** Hosts whose URL in code shows that an API is called. */
export const apiHosts =
  /https:\/\/(?:api\.(?:openai|anthropic|mistral|deepseek|x|cohere|groq)\.(?:com|ai)|generativelanguage\.googleapis\.com|openrouter\.ai)\b/

const viaProxy = (to: string, variable: string, path: string): readonly [string, string] => [
  `npx antiphon proxy --to ${to}`,
  `${variable}=http://127.0.0.1:8377${path} python main.py`,
]

/** What a project in Python may use: its requests are healed by the proxy. */
export const pythonFrameworks: readonly Framework[] = [
  {
    ...{ id: 'python-openai', name: 'OpenAI SDK for Python', page: 'docs/proxy.md' },
    packages: ['openai', 'openai-agents', 'langchain-openai', 'litellm', 'autogen-ext', 'llama-index-llms-openai'],
    lines: viaProxy('https://api.openai.com', 'OPENAI_BASE_URL', '/v1'),
  },
  {
    ...{ id: 'python-anthropic', name: 'Anthropic SDK for Python', page: 'docs/proxy.md' },
    packages: ['anthropic', 'langchain-anthropic', 'claude-agent-sdk'],
    lines: viaProxy('https://api.anthropic.com', 'ANTHROPIC_BASE_URL', ''),
  },
  {
    ...{ id: 'python-google', name: 'Google Gen AI SDK for Python', page: 'docs/proxy.md' },
    packages: ['google-genai', 'langchain-google-genai'],
    lines: viaProxy('https://generativelanguage.googleapis.com', 'GOOGLE_GEMINI_BASE_URL', ''),
  },
]
