import { AntiphonError } from '../../core/errors.ts'

export const sealedError = (message: string, cause?: unknown): AntiphonError =>
  new AntiphonError('journal-sealed', message, {
    hint: 'open the journal with the `seal` that it was written with; if this is the right one, the stored data was changed, or the key was destroyed and the content is lost',
    ...(cause === undefined ? {} : { cause }),
  })
