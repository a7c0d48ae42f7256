import { basename, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import type { Peek } from '../../peek.ts'
import type { StoreUser, System } from '../../system.ts'
import { examineSessionRejection } from './examine-rejection.ts'
import { examineClaudeSession } from './examine-session.ts'
import { claudeCodeProgram } from './program.ts'

/** Sessions of Claude Code and its agents: trees of records in files of lines. */
export const claudeCode: System = {
  id: 'claude-code',
  title: 'Claude Code',
  places,
  recognises,
  program: claudeCodeProgram,
  async open(path) {
    const conversation = {
      id: basename(path, '.jsonl'),
      examine: async () => examineClaudeSession(path),
      examineRejection: async (rejection: Rejection) => examineSessionRejection(path, rejection),
    }
    return { conversations: () => [conversation], close: () => {} }
  },
}

function places({ home, folder, environment }: StoreUser): string[] {
  const { CLAUDE_CONFIG_DIR: own, XDG_CONFIG_HOME: config } = environment
  const roots = own ? [resolve(folder, own)] : [join(home, '.claude'), join(config || join(home, '.config'), 'claude')]
  return roots.map(root => join(root, 'projects'))
}

/** Recognised by one of its first lines. If the first line is longer than the head that was read, by its beginning. */
function recognises(peek: Peek): boolean {
  if (peek.kind !== 'file' || !peek.name.endsWith('.jsonl')) return false
  const lines = peek.headText().split('\n', linesMax)
  return lines.some(line => isRecordOfProgram(line))
}

const linesMax = 50
const recordStart = /^\{"parentUuid":(null|"[\w-]{8,64}"),"(isSidechain|logicalParentUuid)":/

function isRecordOfProgram(line: string): boolean {
  if (recordStart.test(line)) return true
  const value = tryParseJson(line)
  if (!isRecord(value) || typeof value.type !== 'string') return false
  if (typeof value.uuid === 'string' && 'parentUuid' in value)
    // Qwen Code uses the same fields for links, but has no sidechains.
    return typeof value.isSidechain === 'boolean' && linkedTypes.has(value.type)
  return value.type === 'summary' && typeof value.leafUuid === 'string'
}

const linkedTypes = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])
