import { basename } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'

export type Json = Record<string, unknown>

/** The files of a home of Codex, by path. */
export type Files = ReadonlyMap<string, Buffer>

/** What Codex makes of a rollout: the records it keeps, in order, those of the rollout it was forked from first. */
export interface Rollout {
  readonly meta: Json
  readonly records: readonly Json[]
}

/** Reads a rollout as Codex does, and throws where Codex gives up on the whole thread. */
export function readRollout(files: Files, path: string): Rollout {
  const records = recordsOf(plain(path, files.get(path) as Buffer))
  const head = records.find(({ type }) => type === 'session_meta')
  if (!head) throw new Error('failed to parse thread ID from rollout file')
  const meta = head.payload as Json
  const base = meta.history_base as Json | undefined
  if (meta.history_mode === 'paginated') checkOrdinals(records, Number(base?.end_ordinal_exclusive ?? 0))
  return { meta, records: [...(base ? inherited(files, base) : []), ...records.filter(isKnown)] }
}

export const plain = (path: string, bytes: Buffer): Buffer =>
  path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes

function inherited(files: Files, base: Json): readonly Json[] {
  const owner = [...files.keys()].find(path => rolloutId(path) === base.thread_id)
  if (owner === undefined) throw new Error(`no rollout found for thread id ${base.thread_id}`)
  const bytes = plain(owner, files.get(owner) as Buffer).subarray(0, Number(base.end_byte_offset))
  const { records } = readRollout(new Map([...files, [plainName(owner), bytes]]), plainName(owner))
  return records
}

const plainName = (path: string): string => path.replace(/\.zst$/, '')

/** A thread that was reverted has rollouts of other ids than its own. */
const rolloutId = (path: string): string | undefined => /([0-9a-f-]{36})\.jsonl(\.zst)?$/.exec(basename(path))?.[1]

/** Lines that are not JSON are skipped; bytes that are not text end everything. */
function recordsOf(bytes: Buffer): Json[] {
  const records: Json[] = []
  for (const line of new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).split(/\r?\n/)) {
    if (line.trim() === '') continue
    const record = parse(line)
    if (record) records.push(record)
    else if (records.length === 0) throw new Error('failed to parse the first rollout record')
  }
  if (records.length === 0) throw new Error('empty session file')
  return records
}

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJson(value) && isJson(value.payload) && typeof value.timestamp === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The history of a paginated thread is projected record by record, and a number that does not follow ends it. */
function checkOrdinals(records: readonly Json[], start: number): void {
  for (const [index, { ordinal }] of records.entries()) {
    if (ordinal === undefined) throw new Error('paginated rollout record is missing an ordinal')
    if (ordinal !== start + index) throw new Error(`expected ordinal ${start + index}, got ${ordinal}`)
  }
}

/** A record that does not decode is passed over, with all that is in it. */
function isKnown({ type, payload }: Json): boolean {
  if (type === 'response_item') return isItem(payload as Json)
  if (type !== 'compacted') return true
  const { message, replacement_history: history, replacement_history_metadata: metadata } = payload as Json
  if (typeof message !== 'string') return false
  if (metadata != null && (!Array.isArray(history) || (metadata as Json[]).length !== history.length)) return false
  return history == null || (Array.isArray(history) && history.every(isItem))
}

const demanded: Record<string, readonly string[]> = {
  message: ['role', 'content'],
  reasoning: ['summary'],
  local_shell_call: ['status', 'action'],
  function_call: ['name', 'arguments', 'call_id'],
  function_call_output: ['call_id', 'output'],
  custom_tool_call: ['name', 'input', 'call_id'],
  custom_tool_call_output: ['call_id', 'output'],
  tool_search_call: ['execution', 'arguments'],
  tool_search_output: ['status', 'execution', 'tools'],
}

function isItem(item: Json): boolean {
  if (typeof item.type !== 'string') return false
  const keys = demanded[item.type] ?? []
  const mayLackId = item.type.startsWith('tool_search') || item.type === 'local_shell_call'
  return keys.every(key => item[key] != null) && (mayLackId ? item.call_id == null || isText(item.call_id) : true)
}

const isText = (value: unknown): value is string => typeof value === 'string'

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
