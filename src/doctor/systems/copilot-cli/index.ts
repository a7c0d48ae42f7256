import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { examineLinked } from '../../linked/examine-linked.ts'
import type { Peek } from '../../peek.ts'
import type { RecordedOwner, System } from '../../system.ts'
import { titled, titleInYaml } from '../../titles/stored-title.ts'
import { copilotFormat } from './record-format.ts'

/** Sessions of GitHub Copilot CLI: the events of each in a folder of its own. */
export const copilotCli: System = {
  id: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  places: ({ home, folder, environment: { COPILOT_HOME: own } }) => [
    join(own ? resolve(folder, own) : join(home, '.copilot'), 'session-state'),
  ],
  recognises,
  program: { processes: [], owners },
  async open(path) {
    const workspace = [dirname(resolve(path)), 'workspace.yaml'] as const
    const conversation = {
      id: basename(dirname(resolve(path))),
      ...titled(titleInYaml(workspace, 'name') ?? titleInYaml(workspace, 'summary')),
      examine: async () => examineLinked(path, copilotFormat),
    }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

/** Recognised by one of its first events: a type with a dot, data and a parent. */
function recognises(peek: Peek): boolean {
  if (peek.kind !== 'file' || !peek.name.endsWith('.jsonl')) return false
  return peek
    .headText()
    .split('\n', linesMax)
    .some(line => {
      const value = tryParseJson(line.replace(/^\uFEFF/, ''))
      return (
        isRecord(value) &&
        eventTypes.test(String(value.type)) &&
        isRecord(value.data) &&
        typeof value.id === 'string' &&
        'parentId' in value
      )
    })
}

const linesMax = 20
const eventTypes =
  /^(session\.(start|resume)|user\.message|assistant\.(message|turn_start|turn_end)|tool\.execution_\w+)$/

/** `inuse.<pid>.lock` next to the events. */
function owners(path: string): RecordedOwner[] {
  return namesIn(dirname(resolve(path))).flatMap((name): RecordedOwner[] => {
    const pid = Number(/^inuse\.(\d+)\.lock$/.exec(name)?.[1])
    return pid > 0 ? [{ pid, isThis: true, isCurrent: true }] : []
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
