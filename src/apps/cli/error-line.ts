import { AntiphonError } from '../../core/errors.ts'
import { failureReason } from '../../doctor/files/file-error.ts'
import { plain } from './plain.ts'
import { withoutPasswords } from './without-passwords.ts'

/** An error as JSON. */
export function errorJson(error: unknown): { error: { code: string; message: string; hint?: string } } {
  const { code, message, hint } = AntiphonError.is(error)
    ? error
    : { code: 'unreadable', message: failureReason(error), hint: undefined }
  return {
    error: {
      code,
      message: withoutPasswords(message),
      ...(hint === undefined ? {} : { hint: withoutPasswords(hint) }),
    },
  }
}

/** An error in one line, with its hint. */
export function errorLine(error: unknown): string {
  const { message, hint } = AntiphonError.is(error) ? error : { message: textOf(error), hint: undefined }
  return `antiphon: ${plain(withoutPasswords(hint === undefined ? message : `${message} (${hint})`))}`
}

/** A text is used as it is; an error of the system is described. */
const textOf = (error: unknown): string => (typeof error === 'string' ? error : failureReason(error))
