import { fileError } from '../../../doctor/files/file-error.ts'
import type { TapeSource } from '../../../doctor/files/tape-source.ts'
import { readBody } from '../../../heal/request/request-body.ts'
import type { RequestSeen } from '../../../observe/tape/timeline.ts'
import { type ReceivedRequest, type Strict, startStrict } from '../../../strict/index.ts'
import { exitWith } from '../exit.ts'
import { type Paint, painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { wrap } from '../wrap.ts'
import { providerNames } from './strict.ts'

export interface ReplayFlags {
  readonly provider?: string
  readonly request?: number
}

/** Sends the recorded requests, one after the other, to strict providers in this process. */
export async function replayTape({ name, inspection: { requests } }: TapeSource, flags: ReplayFlags): Promise<void> {
  const chosen = requests.filter(({ number }) => flags.request === undefined || number === flags.request)
  if (chosen.length === 0)
    throw flags.request === undefined
      ? fileError(name, 'the tape has no request', 'record a program that sends one, as in ANTIPHON_TAPE=chat.tape')
      : fileError(name, `the tape has no request ${flags.request}`, 'antiphon tape show lists them')
  const paint = painter(process.stdout)
  await using strict = await startStrict()
  for (const request of chosen) {
    const { outcome, words } = await replay(request, flags.provider, strict)
    if (outcome === 'rejected') exitWith('errors')
    process.stdout.write(`${renderOutcome(request, outcome, words, paint).join('\n')}\n`)
  }
}

type Outcome = 'accepted' | 'rejected' | 'skipped'

/** The answer of a strict provider to a request. A request that continues state of the real provider is not sent. */
export async function replay(
  { request, content }: RequestSeen,
  provider: string | undefined,
  { url, requests }: Pick<Strict, 'url' | 'requests'>,
): Promise<{ readonly outcome: Outcome; readonly words: string }> {
  const body = readBody(request.body)
  if (!body) return { outcome: 'skipped', words: request.lost ?? 'it contains no history' }
  if (content?.continues) return { outcome: 'skipped', words: 'it continues state that only the real provider has' }
  const name = provider ?? providerFor(request.dialect ?? content?.dialect)
  const usual = paths[content?.format ?? '']
  const send = async (path: string): Promise<ReceivedRequest> => {
    const response = await fetch(`${url}/${name}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    })
    await response.arrayBuffer()
    return requests.at(-1) as ReceivedRequest
  }
  const path = pathOf(request.url) ?? usual
  if (path === undefined) return { outcome: 'skipped', words: 'its URL was not recorded' }
  const first = await send(path)
  // It may have been sent to a gateway that has other paths.
  const isLost = first.verdict !== 'accepted' && first.verdict.fact === 'not-found'
  const { verdict, provider: asked } = isLost && usual !== undefined ? await send(usual) : first
  if (verdict === 'accepted') return { outcome: 'accepted', words: `by ${asked}` }
  return { outcome: 'rejected', words: `by ${asked}, ${verdict.status}: ${messageOf(verdict.body) ?? verdict.message}` }
}

/** A dialect has the name of its provider, or begins with it, such as `openai-responses` and `gemini-interactions`. */
const providerFor = (dialect = 'openai'): string =>
  providerNames.includes(dialect) ? dialect : (providerNames.find(name => dialect.startsWith(`${name}-`)) ?? 'openai')

/** The path of a URL, with its version. The name of a strict provider at its beginning is removed. */
function pathOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  let url: URL
  try {
    url = new URL(address, 'http://tape')
  } catch {
    return undefined
  }
  const [, first = ''] = url.pathname.split('/')
  const isNamed = providerNames.includes(first) && !url.pathname.startsWith('/openai/deployments/')
  const path = (isNamed ? url.pathname.slice(first.length + 1) : url.pathname) + url.search
  return path === '/' || path === '' ? undefined : path
}

/** The usual path of each format. */
const paths: Record<string, string | undefined> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/gemini-2.5-pro:generateContent',
  bedrock: '/model/anthropic.claude-opus-4-5/converse',
  ollama: '/api/chat',
  'gemini-interactions': '/v1beta/interactions',
}

function messageOf(body: unknown): string | undefined {
  const { error, message } = (body ?? {}) as { error?: { message?: unknown }; message?: unknown }
  return [error?.message, message, error].find(words => typeof words === 'string') as string | undefined
}

/** The outcome, and the one on the tape if it has one. */
function renderOutcome(
  { number, verdict, status, repairs }: RequestSeen,
  outcome: Outcome,
  words: string,
  paint: Paint,
): string[] {
  const healed = repairs.length > 0 ? ', repaired before it was sent' : ''
  const before =
    verdict === 'open' ? '' : ` (on the tape: ${verdict}${status === undefined ? '' : ` ${status}`}${healed})`
  const [first = '', ...more] = wrap(plain(`request ${number} ${outcome} ${words}${before}`), 0)
  const piece = outcome === 'accepted' ? 'fix' : outcome === 'rejected' ? 'error' : 'warning'
  return [first, ...more.map(line => `  ${line}`)].map(line => paint(piece, line))
}
