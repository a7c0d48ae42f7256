import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { oneOf } from '../flags.ts'
import { wrap } from '../wrap.ts'
import type { ServerFlags } from './strict-server.ts'

/** The simulators are many files, and are loaded only for this command. */
export function addStrict(program: Command): void {
  program
    .command('strict')
    .summary('run strict provider simulators on this machine')
    .description(
      'Simulate the APIs of LLM providers on this machine, without a key or a network. What a real provider rejects is rejected with the same status, body and text; everything else is answered by a small scripted model.',
    )
    .addOption(new Option('--port <number>', 'port to listen on (default: any free port)').argParser(port))
    .addOption(
      new Option('--host <address>', 'address to listen on (default: 127.0.0.1)').argParser(oneOf('host', hosts)),
    )
    .addOption(
      new Option('--provider <name>', 'provider to use when the path does not name one').argParser(
        oneOf('provider', providerNames),
      ),
    )
    .addOption(new Option('--pedantic', 'also reject what is known only from third-party code'))
    .addOption(new Option('--verify', 'reject signatures, encrypted content and ids that this server did not make'))
    .addOption(new Option('--mode <mode>', 'simulate a failure').argParser(mode))
    .addOption(new Option('--script <file>', 'replies of the model: a JSON list, or a JS or TS module'))
    .addOption(new Option('--record <file>', 'ask a real API, and record its replies as a script for --script'))
    .addOption(
      new Option('--to <url>', 'with --record, the base URL of the API; requests are sent there with their keys'),
    )
    .addOption(new Option('--list', 'list what each provider rejects, with the evidence'))
    .addOption(new Option('--json', 'with --list, print a JSON list'))
    .addHelpText(
      'after',
      `
${['Providers:', ...wrap(providerNames.join(', '), 2), 'Modes:', `  ${modes}`].join('\n')}

Examples:
  antiphon strict --port 4010                  all providers: OpenAI at http://127.0.0.1:4010/v1
  antiphon strict --provider mistral           one provider, at every path that does not name another
  antiphon strict --mode overload:stream       every stream ends with an error
  antiphon strict --script replies.json        one reply per request, in order
  antiphon strict --record replies.json --to https://api.openai.com
                                               record the real API; replay with --script replies.json
  antiphon strict --list                       what is rejected, with the evidence
  antiphon strict --list --json | jq '.[] | select(.rejects == "always") | .id'

Exit codes: 0 stopped, or the list was printed; 2 a wrong option or script, or the port is in use.`,
    )
    .action(async ({ list, json, ...flags }: StrictFlags) => {
      if (list) (await import('./strict-list.ts')).printFacts(json === true)
      else if (json)
        throw new AntiphonError('wrong-option', '--json needs --list', { hint: 'use antiphon strict --list --json' })
      else await (await import('./strict-server.ts')).serve(flags)
    })
}

interface StrictFlags extends ServerFlags {
  readonly list?: true
  readonly json?: true
}

/** All providers; a test compares the list. */
export const providerNames = [
  ...['openai', 'azure', 'anthropic', 'gemini', 'vertex', 'bedrock', 'mistral', 'deepseek', 'minimax', 'moonshot'],
  ...['qwen', 'glm', 'xai', 'groq', 'cohere', 'perplexity', 'fireworks', 'together', 'openrouter', 'vllm', 'sglang'],
  ...['llama-cpp', 'ollama', 'lm-studio', 'mlx', 'qwen-template', 'gemma-template', 'llama-template'],
  'mistral-template',
]

const hosts = ['127.0.0.1', '::1', 'localhost']

const modes = 'rate-limit, rate-limit:stream, overload, overload:stream, slow, slow:<ms>, cut, malformed'

function port(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number <= 65535) return number
  throw new AntiphonError('unknown-port', `invalid port "${text}"`, {
    hint: 'use a number up to 65535; 0 is any free port',
  })
}

function mode(text: string): string {
  if (/^((rate-limit|overload)(:stream)?|slow(:\d+)?|cut|malformed)$/.test(text)) return text
  throw new AntiphonError('unknown-mode', `unknown mode "${text}"`, { hint: `one of: ${modes}` })
}
