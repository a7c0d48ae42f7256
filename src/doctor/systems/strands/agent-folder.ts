import { isUtf8 } from 'node:buffer'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { failureReason, fileError } from '../../files/file-error.ts'
import { mustBeNoLink } from '../../files/no-links.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import type { RecordFields } from '../../record-format.ts'

export const agentFileName = 'agent.json'
export const messagesFolder = 'messages'

/** A file of a message as it was read. */
export interface MessageFile {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly value: RecordFields
  /** The key of the message that is sent: a redacted one is sent in place of the original. */
  readonly key: 'message' | 'redact_message'
}

export interface AgentFolder {
  /** Its file is that of an agent. */
  readonly isAgent: boolean
  /** The agent waits for the answer of a person, so that its last calls have no results yet. */
  readonly isInterrupted: boolean
  /** The messages that are sent, in order. */
  readonly messages: readonly MessageFile[]
  /** Files of such messages that cannot be read, with their bytes. */
  readonly bad: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** The last number of the messages that the conversation manager has removed: they stay on disk, and count. */
  readonly lastRemoved: number
  /** The times and sizes of all files, to detect a change. */
  readonly stamp: string
}

const messageName = /^message_(\d{1,15})\.json$/

export const isMessageName = (name: string): boolean => messageName.test(name)

export const messageFileName = (number: number): string => `message_${number}.json`

/** Reads an agent, and its messages unless `only` the agent is asked for. Throws a one-line error if that fails. */
export function readAgent(path: string, only = false): AgentFolder {
  for (const name of [agentFileName, messagesFolder]) mustBeNoLink(join(path, name))
  const stamp = only ? '' : stampOf(path)
  const file = join(path, agentFileName)
  const agent = parsed(readRegularFile(file))
  if (!isRecord(agent)) throw fileError(file, 'it is cut off or not JSON, so the session cannot be opened')
  const { conversation_manager_state: state, _internal_state: internal } = agent
  const interrupts = isRecord(internal) ? internal.interrupt_state : undefined
  const removed = isRecord(state) ? state.removed_message_count : 0
  const names = only ? [] : messageNames(join(path, messagesFolder))
  const skipped = typeof removed === 'number' ? Math.max(removed, 0) : 0
  const found = names.slice(skipped).map(name => readMessage(path, name))
  return {
    isAgent: typeof agent.agent_id === 'string' && isRecord(state) && typeof state.__name__ === 'string',
    isInterrupted: isRecord(interrupts) && interrupts.activated === true,
    messages: found.filter(one => 'value' in one),
    bad: found.filter(one => 'bytes' in one),
    lastRemoved: numberOf(names[Math.min(skipped, names.length) - 1] ?? ''),
    stamp,
  }
}

/** Identifies the state of a folder: every message is a file of its own, and files are replaced. */
export function stampOf(path: string): string {
  let bytes = 0n
  const stamps = [
    agentFileName,
    ...messageNames(join(path, messagesFolder)).map(name => join(messagesFolder, name)),
  ].map(name => {
    const stat = statSync(join(path, name), { bigint: true, throwIfNoEntry: false })
    bytes += stat?.size ?? 0n
    return `${name} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`
  })
  if (bytes > bytesMax) throw fileError(path, 'it has more than 256 MB')
  return stamps.join('\n')
}

const bytesMax = 256n * 1024n * 1024n

const numberOf = (name: string): number => Number(messageName.exec(name)?.[1] ?? -1)

/** The files of messages in the order of their numbers. A draft of the program ends in `.tmp`, and is none. */
function messageNames(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => isMessageName(name))
    const link = entries.find(entry => !entry.isFile())
    if (link) throw fileError(join(folder, link.name), 'it is a link or a folder where a message should be')
    return entries.map(({ name }) => name).sort((one, other) => numberOf(one) - numberOf(other))
  } catch (error) {
    throw (error as { code?: string }).code === 'unreadable' ? error : fileError(folder, failureReason(error))
  }
}

function readMessage(path: string, name: string): MessageFile | AgentFolder['bad'][number] {
  const bytes = readRegularFile(join(path, messagesFolder, name))
  const value = parsed(bytes)
  if (!isRecord(value)) return { name, bytes }
  const key = isRecord(value.redact_message) ? 'redact_message' : 'message'
  const message = value[key]
  if (!isRecord(message) || !Array.isArray(message.content)) return { name, bytes }
  return { number: numberOf(name), name, text: bytes.toString(), value, key }
}

function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString()
  return tryParseJson(text) === undefined ? undefined : parseExactly(text)
}
