import { join } from 'node:path'
import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { drawExamined, stateOf } from '../../examine-entries.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { reportText } from '../../report-text.ts'
import type { Drawing, DroppedRecord, Examination } from '../../system.ts'
import { type StoredEvent, shortName } from './event.ts'
import { type Base, eventFileName, eventsFolder, type Folder, isEventName, numberOf } from './log.ts'
import { logRepair } from './log-repair.ts'
import { repairLog } from './repair-log.ts'
import { baseTextOf, plannedFiles, touchedBy, writeFolder } from './write-folder.ts'

/** Examines a conversation that was read from its folder. */
export function examineFolder(path: string, folder: Folder): Examination {
  const { bad, log } = folder
  const repaired = repairLog(log)
  const repairs = [...fileRepairs(folder), ...repaired.repairs]
  const { remaining, counts, waiting } = repaired
  const draw = (): Drawing =>
    drawExamined(repaired.examined, record => recordOf(path, valueAt(repaired.branch, record)))
  const found = { counts, repairs, remaining, dropped: [] as DroppedRecord[], draw }
  if (repairs.length === 0) return { ...found, state: stateOf({ repairs, remaining, waiting }), notes: [] }
  const after = { events: repaired.log.events, base: settled(repaired.log.base, waiting) }
  const files = plannedFiles(path, folder, after)
  const base = baseTextOf(path, folder, after)
  const shownIn = (file: string): string => reportText(readRegularFile(join(path, eventsFolder, file)))
  return {
    ...found,
    state: 'broken',
    dropped: [
      ...bad.map(({ file, bytes }) => ({ at: shortName({ file }), rule: unreadableRule, content: reportText(bytes) })),
      ...repaired.dropped.flatMap(({ event, rule }) =>
        event.file === undefined ? [] : [{ at: shortName(event), rule, content: shownIn(event.file) }],
      ),
    ],
    notes: [],
    storeRepair: {
      files: touchedBy(path, files, base),
      place: path,
      apply: async assertUnused => writeFolder(path, folder, files, base, assertUnused),
    },
  }
}

/** An event as it is in its file; a new one has none. */
function recordOf(path: string, event: StoredEvent): Omit<DroppedRecord, 'rule'> {
  const text = event.file === undefined ? '' : readRegularFile(join(path, eventsFolder, event.file)).toString()
  return { at: shortName(event), content: text }
}

const unreadableRule = 'unreadable-event'

/** The defects of the files themselves: their content, numbers and names. */
function fileRepairs({ bad, log }: Folder): Repair[] {
  const repairs = bad.map(({ file, bytes }) => {
    const words = bytes.length === 0 ? 'the file is empty' : 'the file is cut off or not JSON'
    return logRepair(
      unreadableRule,
      shortName({ file }),
      `${words}, and the program cannot load the conversation`,
      'drop it',
      'lossy',
    )
  })
  const files = [...log.events.map(({ file = '' }) => file), ...bad.map(({ file }) => file)]
  const numbers = files.map(numberOf).sort((a, b) => a - b)
  for (const [index, number] of numbers.entries()) {
    const before = numbers[index - 1] ?? -1
    const at = eventFileName(number, '').slice(0, -6)
    if (number === before)
      repairs.push(
        logRepair('repeated-number', at, 'two events have this number, and the program reads one of them', anew),
      )
    else if (number > before + 1)
      repairs.push(
        logRepair('missing-number', at, 'the number before it is missing, and the program reads no further', anew),
      )
  }
  for (const event of log.events) {
    const name = eventFileName(numberOf(event.file ?? ''), event.id)
    if (name !== event.file && isEventName(name))
      repairs.push(
        logRepair(
          'misnamed-event',
          shortName(event),
          `the id in its file name is not ${event.id}`,
          'name it by its id',
        ),
      )
  }
  return repairs
}

const anew = 'number the events anew'

/** A stopped run has nothing left to recover, and may start again; so may one that waits for nothing. */
function settled(base: Base, waiting: number): Base {
  const { status } = base
  const isOver = status === 'running' || status === 'error' || (status === 'waiting_for_confirmation' && waiting === 0)
  return isOver ? { ...base, status: 'idle' } : base
}
