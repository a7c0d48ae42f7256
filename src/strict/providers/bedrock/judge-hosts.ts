import { type JsonObject, objects } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'

/** What Converse requires for some models only. */
export function hostForms(messages: JsonObject[], model: string | undefined): RejectionReason[] {
  if (isModel(models.deepseekR1, model)) return messages.flatMap(reasoned)
  const [isLlama, isMistral] = [isModel(models.llama, model), isModel(models.mistral, model)]
  if (!isLlama && !isMistral) return []
  return [...messages.flatMap((message, index) => mixed(message, index, isLlama)), ...(isLlama ? end(messages) : [])]
}

/** Reasoning in the history. The message mentions user messages, whichever message contains the reasoning. */
const reasoned = ({ content }: JsonObject, index: number): RejectionReason[] =>
  objects(content).some(({ reasoningContent }) => reasoningContent !== undefined)
    ? [reject('br-reasoning', reasonedText, `messages[${index}]`)]
    : []

const reasonedText =
  'User messages cannot contain reasoning content. Please remove the reasoning content and try again.'

/** Text next to results, or next to calls. */
function mixed({ content }: JsonObject, index: number, isLlama: boolean): RejectionReason[] {
  const blocks = objects(content)
  const at = `messages[${index}]`
  if (!blocks.some(({ text }) => text !== undefined)) return []
  const text = (kind: string) =>
    `messages.${index}.content: Conversation blocks and tool ${kind} blocks cannot be provided in the same turn.`
  if (blocks.some(({ toolResult }) => toolResult !== undefined)) return [reject('br-mixed-result', text('result'), at)]
  if (!blocks.some(({ toolUse }) => toolUse !== undefined)) return []
  return [isLlama ? reject('br-mixed-use', text('use'), at) : rejectPedantically('br-mixed-use', text('use'), at)]
}

const end = (messages: JsonObject[]): RejectionReason[] =>
  messages.at(-1)?.role === 'assistant' ? [reject('br-end-user', endText, `messages[${messages.length - 1}]`)] : []

const endText =
  'The model that you are using requires the last turn in the conversation to be a user message. Add a user message to the conversation and try again.'
