import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { oneOf } from '../flags.ts'
import { wrap } from '../wrap.ts'
import type { ServerFlags } from './strict-server.ts'

/** The simulators are many files, and no other command needs them: they are loaded when they are asked for. */
export function addStrict(program: Command): void {
  program
    .command('strict')
    .summary('providers on this machine that refuse as the real ones do')
    .description(
      'Simulates the APIs of LLM providers on this machine, with no key and no network. What a real provider refuses is refused with its status, its body and its words; all else is answered by a small scripted model.',
    )
    .addOption(new Option('--port <number>', 'where to listen (default: any free one)').argParser(port))
    .addOption(new Option('--host <address>', 'an address of this machine').argParser(oneOf('host', hosts)))
    .addOption(
      new Option('--provider <name>', 'who answers where the path names nobody').argParser(
        oneOf('provider', providerNames),
      ),
    )
    .addOption(new Option('--pedantic', 'refuse also what is known from third-party code only'))
    .addOption(new Option('--mode <mode>', 'fail on purpose').argParser(mode))
    .addOption(new Option('--script <file>', 'what the model answers: a JSON list of replies, or a JS or TS module'))
    .addOption(new Option('--list', 'print what is known of each provider, how, and whether it is refused here'))
    .addOption(new Option('--json', 'with --list, for programs: one JSON list'))
    .addHelpText(
      'after',
      `
${['Providers:', ...wrap(providerNames.join(', '), 2), 'Modes:', `  ${modes}`].join('\n')}

Examples:
  antiphon strict --port 4010                  all of them: OpenAI at http://127.0.0.1:4010/v1
  antiphon strict --provider mistral           one of them, at every path that names no other
  antiphon strict --mode overload:stream       every stream breaks off with an error
  antiphon strict --script replies.json        one reply a request, in order
  antiphon strict --list                       what is refused, and how that is known
  antiphon strict --list --json | jq '.[] | select(.refuses == "always") | .id'

Exit codes: 0 it was told to stop, or has printed its list; 2 a wrong option or script, or the port is in use.`,
    )
    .action(async ({ list, json, ...flags }: StrictFlags) => {
      if (list) (await import('./strict-list.ts')).printFacts(json === true)
      else if (json) throw new AntiphonError('wrong-option', '--json goes with --list')
      else await (await import('./strict-server.ts')).serve(flags)
    })
}

interface StrictFlags extends ServerFlags {
  readonly list?: true
  readonly json?: true
}

/** All that there are; a test compares. */
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
  throw new AntiphonError('unknown-port', `there is no port "${text}"`, {
    hint: 'a number up to 65535; 0 is any free one',
  })
}

function mode(text: string): string {
  if (/^((rate-limit|overload)(:stream)?|slow(:\d+)?|cut|malformed)$/.test(text)) return text
  throw new AntiphonError('unknown-mode', `there is no mode "${text}"`, { hint: `one of: ${modes}` })
}
