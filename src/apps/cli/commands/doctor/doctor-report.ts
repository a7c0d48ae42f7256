import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { AntiphonError } from '../../../../core/errors.ts'
import type { DoctorResult } from '../../../../doctor/doctor.ts'
import { draftOf } from '../../../../doctor/files/drafts.ts'
import { createFailureReason, fileError } from '../../../../doctor/files/file-error.ts'
import { pageBegin, pageEnd, pageMark, pageResult } from './doctor-page.ts'
import { resultJson, type Totals } from './doctor-text.ts'

/** A report in a file. Results are written as they come, to a draft that is renamed when it is complete. */
export interface DoctorReport {
  add(one: DoctorResult): void
  close(totals: Totals): void
  discard(): void
}

export function openReport(file: string): DoctorReport {
  mustBeFree(file)
  const draft = attempt(file, () => draftOf(resolve(file)))
  const handle = attempt(file, () => openNew(draft))
  const isJson = file.endsWith('.json')
  let isFirst = true
  let isOpen = true
  const end = (): void => {
    if (isOpen) closeSync(handle)
    isOpen = false
  }
  const discard = (): void => {
    end()
    rmSync(draft, { force: true })
  }
  const write = (text: string): void => {
    try {
      attempt(file, () => writeFileSync(handle, text))
    } catch (error) {
      discard()
      throw error
    }
  }
  write(isJson ? jsonBegin : pageBegin())
  return {
    add(one) {
      const value = isJson ? resultJson(one) : undefined
      if (!isJson) write(pageResult(one))
      else if (value) {
        write(`${isFirst ? '' : ','}\n${JSON.stringify(value)}`)
        isFirst = false
      }
    },
    close(totals) {
      const { states, healed, unreadable, counts } = totals
      write(
        isJson
          ? `\n],"totals":${JSON.stringify({ states, healed, unreadable: unreadable, counts })}}\n`
          : pageEnd(totals),
      )
      end()
      attempt(file, () => renameSync(draft, file))
    },
    discard,
  }
}

/** A file at the path of the draft is removed first, not written to: it may be a link. */
function openNew(draft: string): number {
  rmSync(draft, { force: true })
  return openSync(draft, 'wx', 0o600)
}

const jsonBegin = '{"antiphon":"doctor report","visits":['

/** A report replaces only an older report, so that a mistyped path does not overwrite a conversation. */
function mustBeFree(file: string): void {
  const stat = attempt(file, () => statSync(file, { throwIfNoEntry: false }))
  if (!stat) return
  if (!stat.isFile())
    throw fileError(file, 'exists and is not a file, so no report is written there', 'choose another name')
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
    throw fileError(file, 'exists and is not a doctor report, so it is not replaced', 'choose another name')
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw AntiphonError.is(error) ? error : fileError(file, `cannot write the report: ${createFailureReason(error)}`)
  }
}
