import { AntiphonError } from '../../core/errors.ts'

/** If the cause is a module of Node that this version does not have, the error that says so in one line. */
export function oldNodeError(work: string, cause: unknown): AntiphonError | undefined {
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown }
  const isMissing = code === 'ERR_UNKNOWN_BUILTIN_MODULE' || /requested module 'node:/.test(String(message))
  return isMissing ? needsNewerNode(work, cause) : undefined
}

/** The error of what needs a module that this version of Node does not have. */
export function needsNewerNode(work: string, cause?: unknown): AntiphonError {
  return new AntiphonError('old-node', `${work} needs Node 22.18 or newer, this is ${process.versions.node}`, {
    hint: 'update Node; or run a command with a newer one: npx -p node@24 -p antiphon antiphon ...',
    cause,
  })
}
