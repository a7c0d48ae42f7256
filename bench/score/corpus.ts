import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CodecId } from '../../src/codecs/index.ts'
import type { EntryCall, HistoryEntry } from '../../src/strict/judge/entry.ts'
import { placeholders } from '../../test/laws/corruptions.ts'
import { lost } from '../../test/oracle/loss.ts'
import { read } from '../../test/oracle/readers/read.ts'
import { type Reader, readersOf } from './readers.ts'
import type { Outcome } from './tally.ts'

/** A broken real history, and the provider that rejected it. */
export interface Found {
  id: string
  format: CodecId
  reader: Reader | undefined
  messages: unknown[]
}

/**
 * What was refused for its history: not what was wrong with the request around it, nor a signature that nobody can bring back,
 * nor a call that is open on purpose, since it was just approved.
 */
export function readCorpus(): Found[] {
  const folder = fileURLToPath(new URL('../../test/corpus/', import.meta.url))
  return globSync('*.json', { cwd: folder })
    .sort()
    .map(file => JSON.parse(readFileSync(`${folder}${file}`, 'utf8')))
    .filter(({ id, request }) => request === undefined && !beyondHealing.has(id))
    .map(({ id, format: named, format_variant: variant, for: dialect, messages }) => {
      const format: CodecId = named === 'mistral' ? 'openai-chat' : variant === 'UIMessage' ? 'ai-sdk-ui' : named
      const readers = readersOf(format)
      const reader = dialect === undefined ? readers[0] : readers.find(known => known.dialect === dialect)
      const model = models[id]
      return { id, format, messages, reader: reader && model !== undefined ? { ...reader, model } : reader }
    })
}

const beyondHealing = new Set(['CLIProxyAPI-3624', 'vercel-ai-9968'])

/** The models that refused these, where others of their provider would not have. */
const models: Record<string, string> = {
  'hermes-agent-66587': 'gemini-3-pro-preview',
  'strands-harness-sdk-1223': 'us.meta.llama4-maverick-17b-instruct-v1:0',
}

/** Words are not unique in the wild, so what counts is every text and every result that has a call and is no placeholder. */
export async function outcomeOf(before: unknown[], reader: Reader, heal: () => Promise<unknown[]>): Promise<Outcome> {
  let after: unknown[]
  try {
    after = await heal()
  } catch (error) {
    return { failure: 'throws', why: error instanceof Error ? error.message : String(error) }
  }
  const refused = reader.refuse(after)
  if (refused !== undefined) return { failure: 'refused', why: `${reader.dialect} says: ${refused}` }
  const entries = read(before, reader.format)
  const calls = callsIn(entries)
  const isFewer = callsIn(read(after, reader.format)).length < calls.length
  const ids = new Set(calls.map(({ id }) => id))
  const orphaned = entries
    .filter(({ role, answers }) => role === 'tool' && !ids.has(answers))
    .flatMap(({ texts }) => texts)
  const needless = new Set([...orphaned.map(text => text.trim()), ...placeholders, skipped])
  const { texts, results } = lost(before, after, reader.format)
  const [gone] = [...texts, ...results.filter(text => !needless.has(text))]
  if (gone !== undefined) return { failure: 'lost', why: `"${gone.slice(0, 60)}" is gone` }
  return isFewer && !hasRepeats(calls) ? { failure: 'lost', why: 'a call is gone' } : undefined
}

/** A placeholder of one system more. */
const skipped = 'Tool execution skipped - user provided follow-up message'

/** Without those that a provider ran by itself, whatever the wire then calls them. */
const callsIn = (entries: HistoryEntry[]): EntryCall[] =>
  entries.flatMap(({ calls }) => calls.filter(({ id }) => id?.startsWith('srvtoolu_') !== true))

/** Where a call stands twice, one of the two may go. */
const hasRepeats = (calls: EntryCall[]): boolean => new Set(calls.map(({ id }) => id)).size < calls.length
