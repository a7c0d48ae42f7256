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

/** HTTP and metrics are loaded only for this command. */
export function addProxy(program: Command): void {
  program
    .command('proxy')
    .summary('repair the requests of programs in any language')
    .description(
      'Run an HTTP server that repairs the histories in requests and forwards them to a provider. Set OPENAI_BASE_URL, ANTHROPIC_BASE_URL or the base URL in your program to the address of this server. Keys and everything else are forwarded unchanged.',
    )
    .addOption(
      new Option(
        '--to <url>',
        'URL of the provider; for several, repeat it as NAME=URL and send requests to /NAME/...',
      ).argParser(upstreams),
    )
    .addOption(new Option('--port <number>', 'port to listen on; 0 is any free port').argParser(port).default(8377))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(new Option('--allow-remote', 'allow a --host that other machines can reach'))
    .addOption(
      new Option(
        '--allow-origin <origin...>',
        'allow web pages of these origins; pages of localhost are always allowed',
      ),
    )
    .addOption(forOption('identified by the URL and the model'))
    .addOption(modelOption())
    .addOption(allowOption())
    .addOption(pendingCallsOption())
    .addOption(orphansOption())
    .addOption(repeatsOption())
    .addOption(new Option('--dry-run', 'report what would be repaired, and change nothing'))
    .addOption(new Option('--record <file>', 'record requests and responses on a tape, with the content hidden'))
    .addOption(new Option('--no-redact', 'with --record, keep the content'))
    .addOption(
      new Option('--body-limit <megabytes>', 'answer larger bodies with 413')
        .argParser(positive('--body-limit'))
        .default(64),
    )
    .addOption(
      new Option('--timeout <seconds>', 'how long to wait for data from the provider')
        .argParser(positive('--timeout'))
        .default(600),
    )
    .addOption(
      new Option('--connect-timeout <seconds>', 'how long to wait for a connection')
        .argParser(positive('--connect-timeout'))
        .default(10),
    )
    .addOption(
      new Option('--max-connections <number>', 'answer 503 above this number of open connections')
        .argParser(count('--max-connections'))
        .default(2048),
    )
    .addOption(
      new Option('--max-connections-per-address <number>', 'the same, for one client address')
        .argParser(count('--max-connections-per-address'))
        .default(1024),
    )
    .addOption(
      new Option('--grace <seconds>', 'how long to wait for requests in progress when stopping')
        .argParser(seconds('--grace'))
        .default(30),
    )
    .addOption(new Option('--quiet', 'do not print a line for each repaired or failed request'))
    .addOption(new Option('--json', 'print every line as a JSON object, on standard output'))
    .addHelpText(
      'after',
      `
${dialectsHelp}
Examples:
  antiphon proxy --to https://api.openai.com
  OPENAI_BASE_URL=http://127.0.0.1:8377/v1 python agent.py
  antiphon proxy --to openai=https://api.openai.com --to anthropic=https://api.anthropic.com
  antiphon proxy --to http://localhost:8000 --for qwen-template --dry-run
  curl http://127.0.0.1:8377/metrics           metrics for Prometheus; /healthz is the health check

Exit codes: 0 stopped; 2 a wrong option, or it cannot listen.`,
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
  const [, name, url = ''] = /^([^:/?#=]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined && before === undefined) return text
  if (name === undefined || typeof before === 'string')
    throw new AntiphonError('wrong-option', 'each of several upstreams needs a name', {
      hint: 'as in --to openai=https://api.openai.com --to anthropic=https://api.anthropic.com',
    })
  if (before && Object.hasOwn(before, name))
    throw new AntiphonError('wrong-option', `two upstreams are named "${name}"`, { hint: 'rename one of them' })
  return { ...before, [name]: url }
}

function port(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number <= 65535) return number
  throw new AntiphonError('unknown-port', `invalid port "${text}"`, {
    hint: 'use a number up to 65535; 0 is any free port',
  })
}

const seconds =
  (option: string, isZeroAllowed = true) =>
  (text: string): number => {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (number <= 86_400 && (isZeroAllowed || number > 0)) return number
    throw new AntiphonError('wrong-number', `invalid value "${text}" of ${option}`, {
      hint: `use a number such as 30 or 0.5, ${isZeroAllowed ? '' : 'above 0 and '}at most 86400`,
    })
  }

const positive = (option: string): ((text: string) => number) => seconds(option, false)

const count =
  (option: string) =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : 0
    if (number > 0 && number <= 1_000_000) return number
    throw new AntiphonError('wrong-number', `invalid value "${text}" of ${option}`, {
      hint: 'use a whole number from 1 to 1000000',
    })
  }
