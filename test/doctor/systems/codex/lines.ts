import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type ConversationResult, examineStores } from '../../../../src/doctor/doctor.ts'
import { codex } from '../../../../src/doctor/systems/codex/index.ts'
import { inFolder } from '../../contract.ts'
import type { Json } from './rollout.ts'

export const thread = '0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77'
export const rolloutName = (id = thread): string => `sessions/2026/05/14/rollout-2026-05-14T10-22-00-${id}.jsonl`

/** Records of a rollout, a second apart. With `first` they are numbered from there on. */
export function rollout(payloads: readonly (readonly [string, Json])[], first?: number): string {
  return payloads
    .map(([type, payload], at) => record(type, payload, at, first === undefined ? undefined : first + at))
    .join('')
}

export function record(type: string, payload: Json, second: number, ordinal?: number): string {
  const timestamp = new Date(Date.UTC(2026, 4, 14, 10, 22, second)).toISOString()
  return `${JSON.stringify({ timestamp, ...(ordinal === undefined ? {} : { ordinal }), type, payload })}\n`
}

export const meta = (more: Json = {}): [string, Json] => [
  'session_meta',
  { id: thread, cwd: '/app', history_mode: 'legacy', ...more },
]
export const paginated = (more: Json = {}): [string, Json] => meta({ history_mode: 'paginated', ...more })
export const item = (payload: Json): [string, Json] => ['response_item', payload]
export const user = (text: string): [string, Json] =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
export const said = (text: string): [string, Json] =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
export const event = (type: string, more: Json = {}): [string, Json] => ['event_msg', { type, ...more }]
export const call = (id: string): [string, Json] =>
  item({ type: 'function_call', name: 'exec_command', arguments: '{}', call_id: id })
export const shell = (id: string | null, more: Json = {}): [string, Json] =>
  item({
    type: 'local_shell_call',
    ...more,
    call_id: id,
    status: 'completed',
    action: { type: 'exec', command: ['ls'] },
  })
export const result = (id: string, output: unknown = `of ${id}`): [string, Json] =>
  item({ type: 'function_call_output', call_id: id, output })

export interface Healed {
  /** The rollout as text afterwards. */
  readonly text: string
  readonly bytes: Buffer
  readonly visit: ConversationResult | undefined
  /** The error instead. */
  readonly trouble: string | undefined
  /** The rules that were broken, each with its place. */
  readonly broken: readonly string[]
}

/** Repairs a rollout next to others, of which the first is examined. */
export async function heal(files: Record<string, string | Buffer>): Promise<Healed> {
  return inFolder(async folder => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const path = join(folder, Object.keys(files)[0])
    let [found, trouble]: [ConversationResult | undefined, string | undefined] = [undefined, undefined]
    for await (const one of examineStores([path], {
      systems: [codex],
      fix: true,
      backups: join(folder, '..', 'backups'),
    })) {
      if (one.kind === 'conversation') found = one
      else if (one.kind === 'unreadable') trouble = one.error.message.replace(path, basename(path))
    }
    const bytes = readFileSync(path)
    const text = (path.endsWith('.zst') && found ? zstdDecompressSync(bytes) : bytes).toString()
    const broken = [...(found?.examination.repairs ?? []), ...(found?.examination.remaining ?? [])]
    return { text, bytes, visit: found, trouble, broken: broken.map(({ rule, at }) => `${rule} at ${at}`) }
  })
}

export const healText = (text: string): Promise<Healed> => heal({ [rolloutName()]: text })

export const packed = (text: string): Buffer => zstdCompressSync(Buffer.from(text))
