import { isObject, objectOf } from '../json.ts'

/** Whether the model of a request thinks, and therefore requires its thinking back. True without a request. */
export type Thinks = (body: unknown, model?: string) => boolean

/** DeepSeek thinks by default since V4. The names of older models still work. */
export const deepseekThinks: Thinks = (body, model = '') => !isSwitchedOff(body) && !deepseekSilent.test(model)
const deepseekSilent = /deepseek-(chat|coder|v3|r1)/i

/** Moonshot thinks by default since Kimi K2.5. */
export const moonshotThinks: Thinks = (body, model = '') => !isSwitchedOff(body) && !moonshotSilent.test(model)
const moonshotSilent = /moonshot-v1|kimi-latest|kimi-k2-(0711|0905|turbo|instruct)/i

const isSwitchedOff = (body: unknown): boolean => isObject(body) && objectOf(body.thinking).type === 'disabled'
