import { Random } from '../../../laws/random.ts'
import { corruptLines } from './corrupt-history.ts'
import { corruptMessages } from './corrupt-snapshot.ts'
import { historyMessages } from './generate-history.ts'
import { type Fields, snapshot } from './generate-snapshot.ts'
import { type Layout, number, write } from './python-json.ts'

/** The files of a store, by their paths in it. */
export type Files = Map<string, Buffer>

/** A store that can go on: a snapshot for even seeds, a history for odd ones. */
export function generate(seed: number): Files {
  const random = new Random(seed)
  const layout: Layout = random.pick(['python', 'python', 'indented', 'tight'])
  if (seed % 2 === 0) return files('thread-7.json', write(snapshot(random), layout) + (random.chance(0.5) ? '\n' : ''))
  const lines = historyMessages(random).map(message => write(message, layout === 'indented' ? 'tight' : layout))
  return files('session-7.jsonl', `${lines.join('\n')}\n`)
}

/** The same store, broken once to four times like the defects of its writers. */
export function corrupt(seed: number, store: Files): Files {
  const random = new Random(seed ^ 0x5eed)
  const [[path, bytes]] = [...store]
  const text = bytes.toString()
  if (path.endsWith('.jsonl')) {
    const lines = text.trimEnd().split('\n')
    const done = corruptLines(lines, random)
    return files(path, lines.join('\n') + (done.includes('the last line is cut') ? '' : '\n'))
  }
  const layout: Layout = text.startsWith('{\n') ? 'indented' : text.startsWith('{"messages": ') ? 'python' : 'tight'
  const broken = JSON.parse(text.replaceAll(oddNumbers, (_, head, digits) => `${head}"${number(digits)}"`)) as {
    messages: Fields[]
  }
  corruptMessages(broken.messages, random)
  return files(path, write(broken, layout))
}

/** The odd numbers of a generated store, which come back as they were written. */
const oddNumbers = /("(?:score|at|cost|turns)":\s?)([\d.e]+)/g

const files = (path: string, text: string): Files => new Map([[path, Buffer.from(text)]])
