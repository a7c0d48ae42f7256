import { join } from 'node:path'
import { codecs } from '../../../codecs/index.ts'
import { type Facts, lenientFacts } from '../../../core/dialect.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { whyNotEmptied } from '../../backup/proof.ts'
import { examineList } from '../../examine-list.ts'
import { lostContent } from '../../lost-content.ts'
import { reportText } from '../../report-text.ts'
import type { Drawing, Examination } from '../../system.ts'
import { titled } from '../../titles/stored-title.ts'
import { firstUserText } from '../../titles/title-text.ts'
import { type AgentFolder, type MessageFile, messageFileName, messagesFolder } from './agent-folder.ts'
import { plannedMessages, writeMessages } from './write-messages.ts'

/** Judges the messages of an agent as they are sent: those of the Converse API of Amazon Bedrock. */
export function examineAgent(path: string, folder: AgentFolder): Examination {
  const { messages: files, isInterrupted } = folder
  const history = files.map(({ value, key }) => value[key])
  const placed = <T extends { readonly at: string }>(found: T): T => ({
    ...found,
    at: found.at.replace(/^messages\[(\d+)\]/, (at, index) => nameOf(files[index]) ?? at),
  })
  const waiting = { tail: isInterrupted }
  const pairs = examineList(history, listOptions, waiting)
  const defects = fileRepairs(folder)
  const isBroken = defects.length > 0 || pairs.repairs.length > 0
  const { messages: healed, ...list } = isBroken ? examineList(history, joining(folder), waiting) : pairs
  const repairs = [...defects, ...list.repairs.map(placed)]
  const found = {
    ...list,
    ...titled(firstUserText(history)),
    ...(repairs.length > 0 ? { state: 'broken' as const } : {}),
    ...(list.since ? { since: placed(list.since) } : {}),
    repairs,
    remaining: list.remaining.map(placed),
    dropped: [],
    notes: [],
    draw: (): Drawing => {
      const drawing = list.draw()
      const records = files.map(file => ({ at: nameOf(file) ?? '', text: file.text }))
      return { ...drawing, repairs: drawing.repairs.map(placed), records }
    },
  }
  if (repairs.length === 0) return found
  // A message that was joined with its neighbour is not lost.
  const removed = list.dropped.filter(({ rule }) => rule !== 'broken-alternation')
  const partly = lostContent(history, healed, { ...list, dropped: removed }, codecs.bedrock.format.root)
  const lost = [...removed, ...partly].map(placed)
  const unreadable = folder.bad.map(({ name, bytes }) => ({
    at: shortName(name),
    rule: unreadableRule,
    content: reportText(bytes),
  }))
  const dropped = [...unreadable, ...lost]
  const whyNot = list.repairs.length > 0 ? whyNotEmptied(history, healed) : undefined
  if (whyNot !== undefined) return { ...found, dropped, notes: [whyNot] }
  const planned = plannedMessages(folder, history, healed)
  const kept = new Set(planned.flatMap(({ name, from, text }) => (name === from && text === undefined ? [name] : [])))
  const touched = new Set([...files, ...folder.bad, ...planned].map(({ name }) => name).filter(name => !kept.has(name)))
  return {
    ...found,
    dropped,
    storeRepair: {
      files: [...touched].map(name => join(path, messagesFolder, name)),
      place: path,
      apply: async assertUnused => writeMessages(path, folder, planned, assertUnused),
    },
  }
}

const shortName = (name: string): string => name.replace(/\.json$/, '')

const nameOf = (file: MessageFile | undefined): string | undefined => file && shortName(file.name)

const unreadableRule = 'unreadable-message'

/** The defects of the files themselves. */
const fileRepairs = ({ bad, messages }: AgentFolder): Repair[] => [
  ...bad.map(({ name, bytes }) => ({
    ...fileRepair,
    rule: unreadableRule,
    at: shortName(name),
    message: `${bytes.length === 0 ? 'the file is empty' : 'the file is cut off, or is not a message'}, and the program cannot open the session`,
    help: 'drop it (lossy)',
    class: 'lossy' as const,
  })),
  ...messages.flatMap(({ number, name, value }) =>
    value.message_id === number
      ? []
      : [
          {
            ...fileRepair,
            rule: 'misnumbered-message',
            at: shortName(name),
            message: `it has the number ${String(value.message_id)}, and not that of its file`,
            help: `write the number of ${messageFileName(number)} (lossless)`,
            class: 'lossless' as const,
          },
        ],
  ),
]

const fileRepair = { severity: 'error' as const, edits: [] }

/** Strands sends to many providers, so limits on ids, media and reasoning that only Bedrock has are left out. */
const facts: Partial<Facts> = {
  ...lenientFacts,
  ...Object.fromEntries(
    ['names', 'documentsMax', 'repeatedDocumentNames', 'imageSide', 'imageSideOfMany', 'imageBase64', 'assistantImages']
      .concat('documentsAlone', 'cachePoints', 'toolNames')
      .map(name => [name, undefined]),
  ),
}

const listOptions = { format: 'bedrock', for: 'bedrock', orphans: 'drop', facts } as const

/**
 * Roles need not alternate, because many providers accept that. If anything is repaired, they do, as the default
 * provider requires: a result goes into the next user message rather than into a new file. A summary may come before the
 * first message if the manager has removed some.
 */
const joining = ({ lastRemoved }: AgentFolder) =>
  ({
    ...listOptions,
    facts: {
      ...facts,
      textAfterResults: 'refuse',
      consecutiveUsers: 'refuse',
      consecutiveAssistants: 'refuse',
      firstAssistant: lastRemoved < 0 ? 'refuse' : 'accept',
    },
  }) as const
