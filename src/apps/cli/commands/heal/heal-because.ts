import { AntiphonError } from '../../../../core/errors.ts'
import { parseExactly } from '../../../../core/json/exact-json.ts'
import { parseJson } from '../../../../doctor/files/parse-json.ts'
import { replaceFileWithBackup } from '../../../../doctor/files/replace-file.ts'
import { readSource } from '../../../../doctor/files/source.ts'
import { readableNumbers } from '../../../../heal/readable-numbers.ts'
import { healRejected } from '../../../../heal/rejections/heal-rejected.ts'
import { plural } from '../../counts.ts'
import { exitWith } from '../../exit.ts'
import type { Flags } from '../../flags.ts'
import { rejectionFrom } from '../../input/rejection-input.ts'
import { toStderr } from '../../input/subject.ts'
import { PrintedRecords } from '../../output/printed-records.ts'
import { plain } from '../../plain.ts'

interface BecauseFlags extends Flags {
  readonly write: boolean
  readonly dryRun: boolean
}

/** Repairs a stored request body for the error that a provider answered it with. */
export async function healBecause(
  files: readonly string[],
  errorFile: string,
  { write, dryRun, json, all: _, ...options }: BecauseFlags,
): Promise<void> {
  const [file, ...others] = files
  if (file === undefined || others.length > 0)
    throw new AntiphonError('many-files', 'heal --because needs exactly one file: the request body that was rejected', {
      hint: 'as in antiphon heal body.json --because error.json',
    })
  const source = await readSource(file)
  const rejection = await rejectionFrom(errorFile, source.text)
  const parsed = parseJson(source.text, source.name, parseExactly)
  const request = readableNumbers(parsed, one => healRejected(one, rejection, options))
  const { body: healed, changed, repairs, remaining } = healRejected(request, rejection, options)
  const text = changed
    ? `${JSON.stringify(healed, undefined, source.text.includes('\n ') ? 2 : undefined)}\n`
    : source.text
  const backup =
    write && !dryRun && changed && source.path !== undefined
      ? replaceFileWithBackup(source.path, source.bytes, Buffer.from(text))
      : undefined
  const printed = new PrintedRecords()
  if (!write && !dryRun) process.stdout.write(printed.printable(Buffer.from(text)))
  toStderr(printed.note(file, json === true) ?? '')
  if (!changed) exitWith('errors')
  if (json)
    toStderr(
      `${JSON.stringify({ file, rejection: { kind: rejection.kind, id: rejection.id }, changed, repairs, remaining, backup })}\n`,
    )
  else {
    const made = changed ? plural(repairs.length, 'repair') : 'nothing can be repaired'
    const lines = repairs.map(({ class: kind, at, message }) => `${kind}: ${at}: ${message}`)
    toStderr(
      `${[...lines, `${source.name}: ${made} for the error ${rejection.id} (${rejection.kind})${backup ? `, backup in ${backup}` : ''}`].map(plain).join('\n')}\n`,
    )
  }
}
