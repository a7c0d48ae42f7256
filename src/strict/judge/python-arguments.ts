import { pythonJsonError } from './python-json.ts'
import { reject } from './rejection-reason.ts'
import type { Validator } from './validator.ts'

/** vLLM passes the arguments of calls to the template as objects. It reads empty ones as an empty object. */
export const pythonArguments: Validator = chat =>
  chat
    .flatMap(({ calls }) => calls)
    .flatMap(({ args = '', at }) => {
      const error = args === '' ? undefined : pythonJsonError(args)
      return error === undefined ? [] : [reject('vl-args', error, at)]
    })
