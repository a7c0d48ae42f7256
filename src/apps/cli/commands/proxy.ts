import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import {
  allowOption,
  dialectsHelp,
  forOption,
  modelOption,
  orphansOption,
  pendingCallsOption,
  repeatsOption,
} from '../flags.ts'
import type { ProxyFlags } from './proxy-server.ts'

/** HTTP and metrics are needed by no other command: they are loaded when they are asked for. */
export function addProxy(program: Command): void {
  program
    .command('proxy')
    .summary('heal what programs in any language send to a provider')
    .description(
      'An HTTP server that sends requests on to a provider and heals the histories in them on the way. Point OPENAI_BASE_URL, ANTHROPIC_BASE_URL or whatever your program calls its base URL at it. Keys and everything else go through as they are.',
    )
    .addOption(
      new Option('--to <url>', 'where requests go; several as NAME=URL, and then paths begin with /NAME').argParser(
        upstreams,
      ),
    )
    .addOption(new Option('--port <number>', 'where to listen; 0 is any free one').argParser(port).default(8377))
    .addOption(new Option('--host <address>', 'the address to listen at').default('127.0.0.1'))
    .addOption(new Option('--allow-remote', 'let --host be an address that other machines reach'))
    .addOption(
      new Option('--allow-origin <origin...>', 'let web pages of these origins use the proxy; those of localhost may'),
    )
    .addOption(forOption('whoever the address and the model say'))
    .addOption(modelOption())
    .addOption(allowOption())
    .addOption(pendingCallsOption())
    .addOption(orphansOption())
    .addOption(repeatsOption())
    .addOption(new Option('--dry-run', 'report what would be healed, and change nothing'))
    .addOption(new Option('--record <file>', 'record requests and answers on a tape; what was said is hidden'))
    .addOption(new Option('--no-redact', 'with --record, keep what was said'))
    .addOption(
      new Option('--body-limit <megabytes>', 'refuse longer histories with 413').argParser(positive).default(64),
    )
    .addOption(new Option('--timeout <seconds>', 'how long a provider may be silent').argParser(positive).default(600))
    .addOption(
      new Option('--connect-timeout <seconds>', 'how long it may take to connect').argParser(positive).default(10),
    )
    .addOption(
      new Option('--max-connections <number>', 'answer 503 to more open connections').argParser(count).default(2048),
    )
    .addOption(
      new Option('--max-connections-per-address <number>', 'the same for one address').argParser(count).default(1024),
    )
    .addOption(
      new Option('--grace <seconds>', 'when told to stop, how long requests under way may take')
        .argParser(seconds)
        .default(30),
    )
    .addOption(new Option('--quiet', 'no line for each healed request'))
    .addOption(new Option('--json', 'for programs: every line is one JSON object, on standard output'))
    .addHelpText(
      'after',
      `
${dialectsHelp}
Examples:
  antiphon proxy --to https://api.openai.com
  OPENAI_BASE_URL=http://127.0.0.1:8377/v1 python agent.py
  antiphon proxy --to openai=https://api.openai.com --to anthropic=https://api.anthropic.com
  antiphon proxy --to http://localhost:8000 --for qwen-template --dry-run
  curl http://127.0.0.1:8377/metrics           what was healed, for Prometheus; /healthz says that it runs

Exit codes: 0 it was told to stop; 2 a wrong option, or it cannot listen.`,
    )
    .action(async ({ to, ...flags }: Partial<Pick<ProxyFlags, 'to'>> & Omit<ProxyFlags, 'to'>) => {
      if (to === undefined)
        throw new AntiphonError('wrong-option', "required option '--to <url>' not specified", {
          hint: 'as in antiphon proxy --to https://api.openai.com',
        })
      await (await import('./proxy-server.ts')).serveProxy({ ...flags, to })
    })
}

/** One URL, or several by name. */
function upstreams(text: string, before?: string | Record<string, string>): string | Record<string, string> {
  const [, name, url] = /^([^:/?#=]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined && before === undefined) return text
  if (name === undefined || typeof before === 'string')
    throw new AntiphonError('wrong-option', 'several upstreams need a name each', {
      hint: 'as in --to openai=https://api.openai.com --to anthropic=https://api.anthropic.com',
    })
  if (before && Object.hasOwn(before, name))
    throw new AntiphonError('wrong-option', `there are two upstreams "${name}"`, { hint: 'give one another name' })
  return { ...before, [name]: url }
}

function port(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number <= 65535) return number
  throw new AntiphonError('unknown-port', `there is no port "${text}"`, {
    hint: 'a number up to 65535; 0 is any free one',
  })
}

function seconds(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (number <= 86_400) return number
  throw new AntiphonError('wrong-number', `"${text}" is not a number that can be used here`, {
    hint: 'a number up to 86400, such as 30 or 0.5',
  })
}

function count(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number > 0 && number <= 1_000_000) return number
  throw new AntiphonError('wrong-number', `"${text}" is not a number of connections`, {
    hint: 'a whole number from 1 to 1000000',
  })
}

function positive(text: string): number {
  const number = seconds(text)
  if (number > 0) return number
  throw new AntiphonError('wrong-number', `"${text}" is too little`, { hint: 'a number above 0' })
}
