import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startViewer } from '../../../src/apps/viewer/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { createTape } from '../../../src/observe/tape/index.ts'
import { bytesOf, inFolder } from '../../doctor/contract.ts'
import { subjects } from '../../doctor/subjects.ts'
import { mutateJson } from '../../fuzz/mutate-json.ts'
import { mutateStore } from '../../fuzz/mutate-store.ts'
import { isRaw } from '../../fuzz/runs.ts'
import { Random } from '../../laws/random.ts'
import { type Answer, ask, itemsOf, smallPage } from './viewer-server.ts'

export interface ViewerCase {
  readonly counts: readonly string[]
  readonly faults: readonly string[]
}

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const chat = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'user', content: 'go on' },
]

/** A viewer on files with changes to their structure: everything that it lists is asked for. */
export function tryDocuments(seed: number): Promise<ViewerCase> {
  const random = new Random(seed)
  return inFolder(async folder => {
    const path = await openedPath(random, seed, folder)
    const done = mutateStore(path, random)
    const before = bytesOf(folder)
    const [counts, faults]: string[][] = [[], []]
    const about = (fault: string): string => `seed ${seed}, ${path.slice(folder.length)} ${done.join('; ')}: ${fault}`
    const viewer = await startViewer({ page: smallPage, paths: [path] }).catch(error => error as Error)
    if (viewer instanceof Error) {
      if (isBad(viewer.message)) faults.push(about(viewer.message))
      return { counts: ['not opened'], faults }
    }
    try {
      for (const { message } of viewer.failures) if (isBad(message)) faults.push(about(message))
      for (const { source, id, note = '' } of (await itemsOf(viewer)).slice(0, 5)) {
        if (isRaw(note)) faults.push(about(note))
        for (const end of ['', '?head']) {
          const answer = await ask(`${viewer.url}api/documents/${source}/${id}${end}`)
          counts.push(`document ${answer.status}`)
          faults.push(...faultsOf(answer).map(about))
        }
      }
    } finally {
      await viewer.close()
    }
    if (JSON.stringify(bytesOf(folder)) !== JSON.stringify(before)) faults.push(about('looking changed something'))
    return { counts, faults }
  })
}

async function openedPath(random: Random, seed: number, folder: string): Promise<string> {
  const kind = random.int(4)
  if (kind === 0) {
    const path = join(folder, 'chat.tape')
    let lines = ''
    const tape = createTape({
      redact: false,
      write: line => {
        lines += line
      },
    })
    const id = tape.request({ format: 'openai-chat', dialect: 'openai', body: { messages: chat } })
    tape.callStart({ id: 'c1', name: 'look' })
    tape.response(id, { status: 400, body: { error: { message: 'no' } } })
    tape.input({ content: 'x' })
    writeFileSync(path, lines)
    return path
  }
  if (kind === 1) {
    const path = join(folder, 'chat.json')
    writeFileSync(path, JSON.stringify(random.chance(0.5) ? chat : { model: 'gpt-5.5', messages: chat }))
    return path
  }
  const subject = random.pick(subjects)
  return kind === 2 ? subject.healthy(seed, folder) : subject.corrupted(seed, folder)
}

/** A viewer on a journal and a history, for any number of requests. */
export async function startProtocol(folder: string) {
  const file = join(folder, 'chat.db')
  const journal = await openJournal(`sqlite:${file}`, { telemetry: false })
  await journal.thread('one').submit('hello')
  await journal.thread('two').submit('hello')
  await journal.close()
  writeFileSync(join(folder, 'chat.json'), JSON.stringify(chat))
  const viewer = await startViewer({ page: smallPage, paths: [file, join(folder, 'chat.json')] })
  await itemsOf(viewer)
  return {
    async try(seed: number): Promise<ViewerCase> {
      const random = new Random(seed)
      const { url, asking } = request(viewer.url, random)
      const answer = await ask(url, asking).catch((error: NodeJS.ErrnoException) => error)
      if (answer instanceof Error) return { counts: [answer.code ?? 'error'], faults: [] }
      const faults = faultsOf(answer).map(fault => `seed ${seed}: ${asking.method} ${url} ${asking.body}: ${fault}`)
      return { counts: [String(answer.status)], faults }
    },
    isAlive: async (): Promise<boolean> => (await ask(viewer.url)).status === 200,
    close: () => viewer.close(),
  }
}

function request(base: string, random: Random) {
  const { origin, host, pathname } = new URL(base)
  const token = pathname.slice(1, -1)
  const path = random
    .pick(paths)
    .replaceAll('N', () =>
      random.pick(['0', '1', '2', '00', '-1', '1e1', '99999999999999999999', '%31', '__proto__', '']),
    )
  const given = random.chance(0.85)
    ? token
    : random.pick(['', 'x', token.slice(1), `${token}x`, token.toLowerCase(), '..'])
  const headers: Record<string, string> = { host, origin, 'content-type': 'application/json' }
  for (let change = random.int(3); change > 0; change--) {
    const [name, value] = random.pick(oddHeaders)
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
  const method = path.includes('threads') && !path.includes('events') ? 'POST' : 'GET'
  const action = JSON.stringify(mutateJson(random.pick(actions), random, random.int(3))) ?? ''
  const body = random.chance(0.9)
    ? action
    : random.pick(['', '{', 'null', '[]', 'x'.repeat(70_000), '\ud800', action.repeat(2)])
  return {
    url: `${origin}/${given}${path}`,
    asking: {
      method: random.chance(0.9) ? method : random.pick(methods),
      headers,
      ...(method === 'POST' ? { body } : {}),
    },
  }
}

const paths = [
  ...[
    '',
    '/',
    '/x',
    '/api',
    '/api/documents/N/N',
    '/api/documents/N/N?head',
    '/api/documents/N/N?x',
    '/api/documents/N',
  ],
  ...[
    '/api/threads/N/N',
    '/api/threads/0/0',
    '/api/threads/0/1',
    '/api/threads/0/2',
    '/api/threads/1/1',
    '/api/threads/N/N/',
  ],
  ...['/api/documents/../..', '/api/documents/N/N/events', '//evil.com', '/api/threads/N/%2e%2e', '/?x'],
]

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']

const oddHeaders: readonly (readonly [string, string | undefined])[] = [
  ['host', 'evil.com'],
  ['host', 'localhost:1'],
  ['origin', 'https://evil.com'],
  ['origin', 'null'],
  ['origin', undefined],
  ['content-type', 'text/plain'],
  ['content-type', undefined],
  ['sec-fetch-site', 'cross-site'],
  ['expect', '100-continue'],
  ['content-encoding', 'gzip'],
  ['transfer-encoding', 'chunked'],
  ['connection', 'keep-alive'],
  ['x-long', 'x'.repeat(20_000)],
]

const actions = [
  { do: 'approve', call: 'c1' },
  { do: 'deny', call: 'c1', reason: 'no' },
  { do: 'interrupt', reason: 'stop', turn: 1 },
  { do: 'interrupt', reason: 'stop' },
]

/** An answer is what was asked for, or says in one line why not. */
function faultsOf({ status, headers, body }: Answer): string[] {
  if (status >= 500) return [`${status} ${body}`]
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return []
  let value: { error?: unknown }
  try {
    value = JSON.parse(body || '{}')
  } catch {
    return [`${status} with no JSON: ${body.slice(0, 200)}`]
  }
  const error = status < 400 || body === '' ? 'none' : value.error
  return typeof error !== 'string' || isBad(error) ? [`${status} ${body.slice(0, 300)}`] : []
}

const isBad = (message: string): boolean => message.includes('\n') || message === '' || isRaw(message)
