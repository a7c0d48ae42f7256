import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AntiphonError } from '../errors.ts'
import type { Visit } from '../stores/doctor.ts'
import { reasonOf, unreadable } from '../unreadable.ts'
import { pageBegin, pageEnd, pageMark, pageVisit } from './doctor-page.ts'
import { type Totals, visitJson } from './doctor-say.ts'

/** A report in a file. It is written as the visits come, so that it takes no memory, and has its name only when complete. */
export interface DoctorReport {
  add(one: Visit): void
  close(totals: Totals): void
  discard(): void
}

export function openReport(file: string): DoctorReport {
  mustBeFree(file)
  const draft = join(dirname(resolve(file)), `.${basename(file)}.${process.pid}.antiphon`)
  const handle = attempt(file, () => openSync(draft, 'w', 0o600))
  const isJson = file.endsWith('.json')
  let isFirst = true
  const write = (text: string): void => {
    attempt(file, () => writeSync(handle, text))
  }
  write(isJson ? jsonBegin : pageBegin())
  return {
    add(one) {
      const value = isJson ? visitJson(one) : undefined
      if (!isJson) write(pageVisit(one))
      else if (value) {
        write(`${isFirst ? '' : ','}\n${JSON.stringify(value)}`)
        isFirst = false
      }
    },
    close(totals) {
      const { states, healed, troubles, counts } = totals
      write(
        isJson
          ? `\n],"totals":${JSON.stringify({ states, healed, unreadable: troubles, counts })}}\n`
          : pageEnd(totals),
      )
      closeSync(handle)
      attempt(file, () => renameSync(draft, file))
    },
    discard() {
      closeSync(handle)
      rmSync(draft, { force: true })
    },
  }
}

const jsonBegin = '{"antiphon":"doctor report","visits":['

/** A report replaces an older report and nothing else: a slip of the hand must not cost a conversation. */
function mustBeFree(file: string): void {
  if (!existsSync(file)) return
  const head = attempt(file, () => {
    const handle = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(200)
      return bytes.subarray(0, readSync(handle, bytes)).toString()
    } finally {
      closeSync(handle)
    }
  })
  if (!head.startsWith(jsonBegin.slice(0, -1)) && !head.includes(pageMark) && head !== '')
    throw unreadable(file, 'it exists and is no report of the doctor, so it is not replaced', 'choose another name')
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw AntiphonError.is(error) ? error : unreadable(file, `the report cannot be written: ${reasonOf(error)}`)
  }
}
