import { join } from 'node:path'
import type { Repair } from '../../../core/rules/repair.ts'
import { drawExamined, stateOf } from '../../examine-entries.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import type { Drawing, Dropped, Examination } from '../../system.ts'
import { type StoredEvent, shortName } from './event.ts'
import { fault } from './fault.ts'
import { type Base, eventsFolder, type Folder, isEventName, nameOf, numberOf } from './log.ts'
import { mend } from './mend.ts'
import { baseTextOf, sheetsOf, touchedBy, writeFolder } from './write-folder.ts'

/** Examines a conversation that was read from its folder. */
export function examineFolder(path: string, folder: Folder): Examination {
  const { bad, log } = folder
  const mended = mend(log)
  const repairs = [...fileRepairs(folder), ...mended.repairs]
  const { remaining, counts, waiting } = mended
  const draw = (): Drawing => drawExamined(mended.examined, record => recordOf(path, mended.branch[record]))
  const found = { counts, repairs, remaining, dropped: [] as Dropped[], draw }
  if (repairs.length === 0) return { ...found, state: stateOf({ repairs, remaining, waiting }), notes: [] }
  const after = { events: mended.log.events, base: settled(mended.log.base, waiting) }
  const sheets = sheetsOf(path, folder, after)
  const base = baseTextOf(path, folder, after)
  const shownIn = (file: string): string => shown(readRegularFile(join(path, eventsFolder, file)))
  return {
    ...found,
    state: 'broken',
    dropped: [
      ...bad.map(({ file, bytes }) => ({ at: shortName({ file }), rule: unreadableRule, content: shown(bytes) })),
      ...mended.dropped.flatMap(({ event, rule }) =>
        event.file === undefined ? [] : [{ at: shortName(event), rule, content: shownIn(event.file) }],
      ),
    ],
    notes: [],
    treatment: {
      files: touchedBy(path, sheets, base),
      place: path,
      apply: async last => writeFolder(path, folder, sheets, base, last),
    },
  }
}

/** An event as it stands in its file; one that is written anew has none. */
function recordOf(path: string, event: StoredEvent): Omit<Dropped, 'rule'> {
  const text = event.file === undefined ? '' : readRegularFile(join(path, eventsFolder, event.file)).toString()
  return { at: shortName(event), content: text }
}

const unreadableRule = 'unreadable-event'

/** What is wrong with the files themselves: what they hold, and their numbers and names. */
function fileRepairs({ bad, log }: Folder): Repair[] {
  const repairs = bad.map(({ file, bytes }) => {
    const words = bytes.length === 0 ? 'the file is empty' : 'the file is cut, or no JSON'
    return fault(
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
    const at = nameOf(number, '').slice(0, -6)
    if (number === before)
      repairs.push(fault('repeated-number', at, 'two events have this number, and the program reads one of them', anew))
    else if (number > before + 1)
      repairs.push(
        fault('missing-number', at, 'the number before it is missing, and the program reads no further', anew),
      )
  }
  for (const event of log.events) {
    const name = nameOf(numberOf(event.file ?? ''), event.id)
    if (name !== event.file && isEventName(name))
      repairs.push(
        fault(
          'misnamed-event',
          shortName(event),
          `the name of its file says another id than ${event.id}`,
          'name it by its id',
        ),
      )
  }
  return repairs
}

const anew = 'number the events anew'

/** A run that was stopped has nothing left to recover, and may begin anew; so may one that waits for nothing. */
function settled(base: Base, waiting: number): Base {
  const { status } = base
  const isOver = status === 'running' || status === 'error' || (status === 'waiting_for_confirmation' && waiting === 0)
  return isOver ? { ...base, status: 'idle' } : base
}

/** A record as it stands in a report: a large one is cut, for the backup has it all. */
const shown = (bytes: Buffer): string =>
  bytes.length > shownBytes ? `${bytes.subarray(0, shownBytes)}… (${bytes.length} bytes in all)` : bytes.toString()

const shownBytes = 16 * 1024
