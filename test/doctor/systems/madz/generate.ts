import { Random } from '../../../laws/random.ts'

/** The entries of a session file, each as its text, and the text around them. */
export interface Session {
  readonly id: string
  readonly front: readonly string[]
  readonly entries: readonly string[]
  readonly lastLineEnd: boolean
}

/** A random healthy session, as madz or the model of its pull request #445 writes it. */
export function generate(seed: number): Session {
  const random = new Random(seed)
  const entries: string[] = random.chance(0.4) ? [entryOf(random, 'system', quoted(random))] : []
  for (let turn = random.range(1, 6); turn > 0; turn--) {
    entries.push(entryOf(random, 'user', quoted(random)))
    if (random.chance(0.4)) entries.push(...step(random))
    entries.push(entryOf(random, 'assistant', quoted(random)))
  }
  const id = random.id('6f1c0a52-')
  const extra = random.chance(0.3) ? [`theme: ${random.pick(['dark', '"light"'])}`] : []
  const front = [
    `threadId: "${id}"`,
    ...extra,
    `messageCount: ${entries.length}`,
    `startedAt: "${JSON.parse(entries[0]).timestamp}"`,
    'endedAt: "2026-06-24T18:07:20.280Z"',
  ]
  return { id, front, entries, lastLineEnd: random.chance(0.9) }
}

/** The file as `saveSession` writes it. */
export function sessionFile({ front, entries, lastLineEnd }: Session): Buffer {
  const list = entries.length === 0 ? '[]' : `[\n${entries.map(indented).join(',\n')}\n]`
  return Buffer.from(`---\n${front.join('\n')}\n---\n${list}${lastLineEnd ? '\n' : ''}`)
}

/** Calls side by side, and their results. */
function step(random: Random): string[] {
  const ids = Array.from({ length: random.range(1, 3) }, () => random.id('call_'))
  return [callsEntry(random, ids), ...ids.map(id => resultEntry(random, id))]
}

export function callsEntry(random: Random, ids: readonly string[]): string {
  const calls = ids.map(id => ({
    id,
    type: 'function',
    function: { name: 'process', arguments: '{"command":"npm test"}' },
  }))
  return entryOf(random, 'assistant', JSON.stringify({ tool_calls: calls }))
}

export const resultEntry = (random: Random, id: string): string =>
  entryOf(random, 'tool', quoted(random), `,"tool_call_id":"${id}"`)

export function entryOf(random: Random, role: string, content: string, rest = ''): string {
  const second = String(random.int(60)).padStart(2, '0')
  const unknown = random.chance(0.15) ? ',"tokens":1.0,"cost":1e5' : ''
  return `{"role":"${role}","content":${content},"timestamp":"2026-06-24T18:00:${second}.007Z"${rest}${unknown}}`
}

export const quoted = (random: Random): string => JSON.stringify(random.sentence())

/** An entry on separate lines, numbers as they were. */
function indented(text: string): string {
  const numbers: string[] = []
  const marked = text.replace(/"(tokens|cost)":([\d.e]+)/g, (_, key, number) => {
    numbers.push(number)
    return `"${key}":"#${numbers.length - 1}#"`
  })
  const lines = JSON.stringify(JSON.parse(marked), null, 2).replace(/"#(\d)#"/g, (_, index) => numbers[index])
  return lines.replace(/^/gm, '  ')
}

export const roleOf = (entry: string): string => JSON.parse(entry).role

/** Whether an entry makes calls. */
export const isCalling = (entry: string): boolean => 'tool_calls' in Object(JSON.parse(entry).content)
