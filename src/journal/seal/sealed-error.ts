import { AntiphonError } from '../../core/errors.ts'

export const sealedError = (message: string, cause?: unknown): AntiphonError =>
  new AntiphonError('journal-sealed', message, {
    hint: 'open the journal with the `seal` that it was written with; if its key was destroyed, the content is lost',
    ...(cause === undefined ? {} : { cause }),
  })
