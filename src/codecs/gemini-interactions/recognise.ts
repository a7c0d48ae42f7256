import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, hasId, isText } from '../shared/evidence.ts'
import { contentTypes, keptSteps, providerSteps } from './steps.ts'

/** A step has a type and no role. Contents alone could be those of many formats. */
export function recognise(step: unknown): Recognition {
  if (!isRecord(step) || 'role' in step) return 'no'
  const { type } = step
  switch (type) {
    case 'user_input':
    case 'model_output':
      return inSpoken(step)
    case 'thought':
      if ('content' in step) return 'no'
      return isText(step.signature) || Array.isArray(step.summary) ? 'yes' : 'odd'
    case 'function_call':
      return inCall(step)
    case 'function_result':
      return hasId(step.call_id) ? 'yes' : 'odd'
    // The Responses API has an item of this type as well.
    case 'file_search_call':
      return hasAny(step, ['queries', 'status', 'results']) ? 'no' : isText(step.signature) ? 'yes' : 'maybe'
  }
  if (providerSteps.has(type)) return hasId(step.id) || hasId(step.call_id) ? 'yes' : 'odd'
  return contentTypes.has(type) || keptSteps.has(type) ? 'odd' : 'no'
}

function inSpoken({ content, error }: Fields): Recognition {
  if (Array.isArray(content)) return 'yes'
  // Other programs write steps with text; the API has lists only.
  if (isText(content)) return 'odd'
  return content === undefined || content === null ? (isRecord(error) ? 'yes' : 'odd') : 'no'
}

/** In the Responses API arguments are text, and the id of a call is its `call_id`. */
function inCall({ id, call_id: call, arguments: input }: Fields): Recognition {
  if (hasId(call)) return isRecord(input) && hasId(id) ? 'odd' : 'no'
  return isRecord(input) ? (hasId(id) ? 'yes' : 'likely') : 'odd'
}
