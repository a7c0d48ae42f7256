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

/** Sends what was recorded to strict providers of this process, one request after the other. */
export async function replayTape({ name, inspection: { requests } }: TapeSource, flags: ReplayFlags): Promise<void> {
  const chosen = requests.filter(({ number }) => flags.request === undefined || number === flags.request)
  if (chosen.length === 0)
    throw fileError(
      name,
      flags.request === undefined ? 'this tape has no request' : `it has no request ${flags.request}`,
    )
  const paint = painter(process.stdout)
  await using strict = await startStrict()
  for (const request of chosen) {
    const { outcome, words } = await replay(request, flags.provider, strict)
    if (outcome === 'rejected') exitWith('errors')
    process.stdout.write(`${say(request, outcome, words, paint).join('\n')}\n`)
  }
}

type Outcome = 'accepted' | 'rejected' | 'skipped'

/** What a strict provider says to a request. One that builds on what only the real provider has is not sent. */
export async function replay(
  { request, content }: RequestSeen,
  provider: string | undefined,
  { url, requests }: Pick<Strict, 'url' | 'requests'>,
): Promise<{ readonly outcome: Outcome; readonly words: string }> {
  const body = readBody(request.body)
  if (!body) return { outcome: 'skipped', words: request.lost ?? 'there is no history in it' }
  if (content?.continues) return { outcome: 'skipped', words: 'it goes on with what its provider holds' }
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
  if (path === undefined) return { outcome: 'skipped', words: 'nothing says where it was sent' }
  const first = await send(path)
  // It may have gone through a gateway that has paths of its own.
  const isLost = first.verdict !== 'accepted' && first.verdict.fact === 'not-found'
  const { verdict, provider: asked } = isLost && usual !== undefined ? await send(usual) : first
  if (verdict === 'accepted') return { outcome: 'accepted', words: `by ${asked}` }
  return { outcome: 'rejected', words: `by ${asked}, ${verdict.status}: ${messageOf(verdict.body) ?? verdict.message}` }
}

/** A dialect has the name of its provider, but for one API of OpenAI's. */
const providerFor = (dialect = 'openai'): string => (providerNames.includes(dialect) ? dialect : 'openai')

/** The path of an address, with what names a version. A path that begins with a strict provider's name loses it. */
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

/** Where each wire is usually sent. */
const paths: Record<string, string | undefined> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/gemini-2.5-pro:generateContent',
  bedrock: '/model/anthropic.claude-opus-4-5/converse',
}

function messageOf(body: unknown): string | undefined {
  const { error, message } = (body ?? {}) as { error?: { message?: unknown }; message?: unknown }
  return [error?.message, message, error].find(words => typeof words === 'string') as string | undefined
}

/** The outcome, beside what is on the tape if that was another. */
function say(
  { number, verdict, status, repairs }: RequestSeen,
  outcome: Outcome,
  words: string,
  paint: Paint,
): string[] {
  const healed = repairs.length > 0 ? ', healed on its way' : ''
  const before =
    verdict === 'open' ? '' : ` (on the tape: ${verdict}${status === undefined ? '' : ` ${status}`}${healed})`
  const [first = '', ...more] = wrap(plain(`request ${number} ${outcome} ${words}${before}`), 0)
  const piece = outcome === 'accepted' ? 'fix' : outcome === 'rejected' ? 'error' : 'warning'
  return [first, ...more.map(line => `  ${line}`)].map(line => paint(piece, line))
}
