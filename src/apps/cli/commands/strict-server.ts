import { AntiphonError } from '../../../core/errors.ts'
import {
  type FailureMode,
  findProvider,
  type ReceivedRequest,
  type Strict,
  type StrictOptions,
  startStrict,
} from '../../../strict/index.ts'
import { painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { createRecorder } from './strict-record.ts'
import { readScript } from './strict-script.ts'

export interface ServerFlags {
  readonly port?: number
  readonly host?: NonNullable<StrictOptions['host']>
  readonly provider?: string
  readonly pedantic?: true
  readonly verify?: true
  readonly mode?: FailureMode
  readonly script?: string
  readonly record?: string
  readonly to?: string
}

/** Serves until SIGINT or SIGTERM. */
export async function serve({ script, record, to, ...flags }: ServerFlags): Promise<void> {
  mustFit({ script, record, to, mode: flags.mode })
  const recorder = record === undefined || to === undefined ? undefined : createRecorder(record, to)
  const scripted = recorder
    ? { script: recorder.reply }
    : script === undefined
      ? {}
      : { script: await readScript(script) }
  let received: ReceivedRequest[] = []
  const onRequest = (request: ReceivedRequest): void => {
    tell(request)
    // The list is for tests. A server may run for days.
    received.length = 0
  }
  const strict = await startStrict({ ...flags, ...scripted, onRequest }).catch(error => {
    throw (error as { code?: string }).code === 'EADDRINUSE' ? portInUse(flags.port) : error
  })
  received = strict.requests
  // Set before the URL is printed: a program that waits for the URL may send the signal right after it.
  const stopped = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  recorder?.begin()
  const recording =
    record === undefined
      ? []
      : [`Accepted requests are forwarded, and the replies are recorded in ${plain(record)}.`, '']
  process.stdout.write(`${[...greeting(strict, flags.provider), ...recording].join('\n')}\n`)
  await stopped
  await strict.close()
}

function mustFit({ script, record, to, mode }: Record<'script' | 'record' | 'to' | 'mode', string | undefined>): void {
  const hint = 'as in antiphon strict --record replies.json --to https://api.openai.com'
  if (record === undefined && to !== undefined) throw new AntiphonError('wrong-option', '--to needs --record', { hint })
  if (record !== undefined && to === undefined) throw new AntiphonError('wrong-option', '--record needs --to', { hint })
  const other = script !== undefined ? '--script' : mode !== undefined ? '--mode' : undefined
  if (record !== undefined && other !== undefined)
    throw new AntiphonError('wrong-option', `--record cannot be combined with ${other}`, {
      hint: 'record first, and replay with --script',
    })
}

const portInUse = (port: number | undefined): AntiphonError =>
  new AntiphonError('port-in-use', `port ${port} is in use`, { hint: 'omit --port to use any free port' })

/** The base URL for each client. */
function greeting({ url }: Strict, provider: string | undefined): string[] {
  const rows = provider === undefined ? owners : [{ name: provider, root: rootOf(provider) }]
  return [
    `Strict providers are listening on ${url} and accept any key. Press Ctrl+C to stop.`,
    '',
    ...[...rows, { name: 'others', root: '/NAME' }].map(({ name, root }) => `  ${name.padEnd(18)}${url}${root}`),
    '',
  ]
}

const owners = [
  { name: 'OpenAI', root: '/v1' },
  { name: 'Anthropic', root: '' },
  { name: 'Gemini', root: '' },
  { name: 'Bedrock endpoint', root: '' },
]

function rootOf(provider: string): string {
  const [api] = [findProvider(provider)?.api].flat()
  return api?.startsWith('openai-') ? '/v1' : ''
}

/** One line per request: the status, the provider, and why the request was rejected. */
function tell({ method, path, provider, model, verdict }: ReceivedRequest): void {
  const paint = painter(process.stderr)
  const asked = `${method} ${path}  ${provider}${model === '' ? '' : ` ${model}`}`
  if (verdict === 'accepted') process.stderr.write(`${paint('fix', '200')} ${plain(asked)}\n`)
  else {
    const { status, fact, message } = verdict
    const reason = fact === message ? fact : `${fact}: ${message}`
    process.stderr.write(`${paint('error', String(status))} ${plain(`${asked}  ${reason}`)}\n`)
  }
}
