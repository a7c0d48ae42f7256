import { join } from 'node:path'

/** An agent program from npm, and how it is run without a person. */
export interface Program {
  readonly title: string
  readonly package: string
  readonly version: string
  /** The doctor knows its store. */
  readonly isKnown: boolean
  /** It breaks a session itself when it resumes it, so that there is nothing to heal before. */
  readonly breaksOnResume?: true
  /** Where its sessions are, from its home. */
  readonly store: string
  /** The files that it needs before it starts, from its home. `work` is the folder that it works in. */
  files?(url: string, work: string): Record<string, string>
  env(url: string, home: string): Record<string, string>
  run(prompt: string): string[]
  resume(prompt: string): string[]
  /** A script that starts it and resumes the session over its protocol, where it has no option for that without a person. */
  readonly resumer?: string
  /** The most seconds that it lets a command run. */
  readonly secondsMax?: number
  /** The value of `antiphon move --to`, and how a moved session is resumed without a person. */
  readonly move?: { readonly to: string; resume(moved: { id: string; path: string }, prompt: string): string[] }
}

const claudeCode: Omit<Program, 'title' | 'version'> = {
  package: '@anthropic-ai/claude-code',
  isKnown: true,
  store: '.claude/projects',
  env: url => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    // It refuses to run tools without asking as root, unless it is told that the machine is a sandbox.
    IS_SANDBOX: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    BASH_MAX_TIMEOUT_MS: '900000',
  }),
  run: prompt => ['-p', '--dangerously-skip-permissions', prompt],
  resume: prompt => ['-p', '--dangerously-skip-permissions', '--continue', prompt],
  move: {
    to: 'claude-code',
    resume: ({ id }, prompt) => ['-p', '--dangerously-skip-permissions', '--resume', id, prompt],
  },
}

export const programs: readonly Program[] = [
  {
    title: 'Codex',
    package: '@openai/codex',
    version: '0.169.0',
    isKnown: true,
    store: '.codex/sessions',
    files: url => ({
      '.codex/config.toml': `model = "gpt-5.1"
model_provider = "strict"
[model_providers.strict]
name = "strict"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
supports_websockets = true
[features]
unified_exec = false
[analytics]
enabled = false
`,
    }),
    env: (_, home) => ({ OPENAI_API_KEY: 'none', CODEX_HOME: join(home, '.codex') }),
    run: prompt => ['exec', ...codexFlags, prompt],
    resume: prompt => ['exec', ...codexFlags, 'resume', '--last', prompt],
    move: { to: 'codex', resume: ({ id }, prompt) => ['exec', ...codexFlags, 'resume', id, prompt] },
  },
  { ...claudeCode, title: 'Claude Code', version: '2.0.1' },
  { ...claudeCode, title: 'Claude Code', version: '2.1.327' },
  {
    title: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    isKnown: true,
    store: '.local/share/opencode',
    files: (url, work) => ({
      [join(work, 'opencode.json')]: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'strict/claude-sonnet-4-5',
        small_model: 'strict/claude-sonnet-4-5',
        provider: {
          strict: {
            npm: '@ai-sdk/anthropic',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { 'claude-sonnet-4-5': { tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    run: prompt => ['run', prompt],
    resume: prompt => ['run', '--continue', prompt],
    move: { to: 'opencode', resume: ({ id }, prompt) => ['run', '-s', id, prompt] },
  },
  {
    title: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    isKnown: true,
    store: '.qwen',
    env: url => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'gpt-4.1' }),
    run: prompt => ['--yolo', '-p', prompt],
    resume: prompt => ['--yolo', '--continue', '-p', prompt],
  },
  {
    title: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    isKnown: true,
    store: '.pi/agent/sessions',
    files: url => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          strict: { baseUrl: url, api: 'anthropic-messages', apiKey: 'none', models: [{ id: 'claude-sonnet-4-5' }] },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: '1' }),
    run: prompt => ['-p', '--model', 'strict/claude-sonnet-4-5', prompt],
    resume: prompt => ['-p', '--model', 'strict/claude-sonnet-4-5', '--continue', prompt],
    move: { to: 'pi', resume: ({ path }, prompt) => ['-p', '--session', path, prompt] },
  },
  {
    title: 'gemini-cli',
    package: '@google/gemini-cli',
    version: '0.61.0',
    isKnown: true,
    breaksOnResume: true,
    store: '.gemini/tmp',
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      }),
    }),
    env: url => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none', GEMINI_MODEL: 'gemini-2.5-pro' }),
    run: prompt => ['--yolo', '-p', prompt],
    resume: prompt => ['--yolo', '--resume', 'latest', '-p', prompt],
    move: { to: 'gemini-cli', resume: ({ id }, prompt) => ['--yolo', '--resume', id, '-p', prompt] },
  },
  {
    title: 'Kimi Code',
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    isKnown: true,
    store: '.kimi-code/sessions',
    files: url => ({
      '.kimi-code/config.toml': `default_model = "strict"
telemetry = false
[providers.strict]
type = "anthropic"
base_url = "${url}"
api_key = "none"
[models.strict]
provider = "strict"
model = "claude-sonnet-4-5"
max_context_size = 200000
`,
    }),
    env: () => ({}),
    run: prompt => ['-p', prompt],
    resume: prompt => ['--continue', '-p', prompt],
  },
  {
    title: 'Copilot CLI',
    package: '@github/copilot',
    version: '1.0.102',
    isKnown: true,
    store: '.copilot',
    env: url => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'claude-sonnet-4.5',
      COPILOT_PROVIDER_WIRE_MODEL: 'claude-sonnet-4-5',
    }),
    run: prompt => ['--allow-all', '-p', prompt],
    resume: prompt => ['--allow-all', '--continue', '-p', prompt],
  },
  {
    title: 'OpenClaw',
    package: 'openclaw',
    version: '2026.9.6',
    isKnown: true,
    store: '.openclaw/agents',
    files: (url, work) => ({
      '.openclaw/openclaw.json': JSON.stringify({
        models: {
          providers: {
            strict: {
              ...{ baseUrl: url, apiKey: 'none', api: 'anthropic-messages' },
              models: [{ id: 'claude-sonnet-4-5', name: 'strict', contextWindow: 200_000, maxTokens: 8_000 }],
            },
          },
        },
        agents: {
          defaults: { model: { primary: 'strict/claude-sonnet-4-5' }, workspace: work, skipBootstrap: true },
        },
        tools: { allow: ['exec'], exec: { host: 'gateway', security: 'full', ask: 'off' } },
      }),
    }),
    env: () => ({}),
    run: prompt => ['agent', '--local', '--agent', 'main', '--message', prompt],
    resume: prompt => ['agent', '--local', '--agent', 'main', '--message', prompt],
  },
  {
    title: 'Cline',
    package: 'cline',
    version: '3.0.65',
    isKnown: true,
    store: '.cline/data/sessions',
    files: url => ({
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'anthropic',
        modes: {},
        providers: {
          anthropic: {
            settings: { provider: 'anthropic', apiKey: 'none', model: 'claude-sonnet-4-5', baseUrl: `${url}/v1` },
            ...{ updatedAt: '2026-11-19T00:00:00.000Z', tokenSource: 'manual' },
          },
        },
      }),
    }),
    // Its protocol takes the provider from here.
    env: () => ({ CLINE_API_KEY: 'none', CLINE_PROVIDER: 'anthropic', CLINE_MODEL: 'claude-sonnet-4-5' }),
    run: prompt => [prompt],
    resume: prompt => ['--acp', prompt],
    resumer: join(import.meta.dirname, 'resume-acp.ts'),
    secondsMax: 20,
  },
]

const codexFlags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
