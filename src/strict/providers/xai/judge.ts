import { refuse } from '../../judge/objection.ts'
import type { Validator } from '../../judge/validator.ts'

/** xAI: every message has a content element, and empty text is one. What it wants of pairs is not known. */
export const xai: Validator = (chat, { format }) =>
  format === 'openai-chat'
    ? chat.filter(({ wire }) => isNothing(wire.content)).map(({ at }) => refuse('xa-content', noContentText, at))
    : []

const noContentText = 'Invalid request content: Each message must have at least one content element.'

const isNothing = (content: unknown): boolean =>
  content === undefined || content === null || (Array.isArray(content) && content.length === 0)
