import { refuse } from '../refusal.ts'
import type { Validator } from '../validator.ts'

/** Llama 3's chat templates: one call a message. They do not look at pairs. */
export const llamaTemplate: Validator = chat =>
  chat
    .filter(({ calls }) => calls.length > 1)
    .map(({ at }) => refuse('tp-single-call', 'This model only supports single tool-calls at once!', at))
