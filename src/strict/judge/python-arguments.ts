import { refuse } from './objection.ts'
import { pythonJsonFault } from './python-json.ts'
import type { Validator } from './validator.ts'

/** vLLM hands the arguments of calls to the template as objects. Empty ones it takes for an empty object. */
export const pythonArguments: Validator = chat =>
  chat
    .flatMap(({ calls }) => calls)
    .flatMap(({ args = '', at }) => {
      const fault = args === '' ? undefined : pythonJsonFault(args)
      return fault === undefined ? [] : [refuse('vl-args', fault, at)]
    })
