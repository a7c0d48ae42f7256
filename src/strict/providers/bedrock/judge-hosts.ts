import { type JsonObject, objects } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'

/** What Converse asks for some models only. */
export function hostForms(messages: JsonObject[], model: string | undefined): Objection[] {
  if (isModel(models.deepseekR1, model)) return messages.flatMap(reasoned)
  const [isLlama, isMistral] = [isModel(models.llama, model), isModel(models.mistral, model)]
  if (!isLlama && !isMistral) return []
  return [...messages.flatMap((message, index) => mixed(message, index, isLlama)), ...(isLlama ? end(messages) : [])]
}

/** Reasoning that the model gave, and is given back. The words speak of user messages wherever it stands. */
const reasoned = ({ content }: JsonObject, index: number): Objection[] =>
  objects(content).some(({ reasoningContent }) => reasoningContent !== undefined)
    ? [refuse('br-reasoning', reasonedText, `messages[${index}]`)]
    : []

const reasonedText =
  'User messages cannot contain reasoning content. Please remove the reasoning content and try again.'

/** Words beside results, or beside calls. */
function mixed({ content }: JsonObject, index: number, isLlama: boolean): Objection[] {
  const blocks = objects(content)
  const at = `messages[${index}]`
  if (!blocks.some(({ text }) => text !== undefined)) return []
  const text = (kind: string) =>
    `messages.${index}.content: Conversation blocks and tool ${kind} blocks cannot be provided in the same turn.`
  if (blocks.some(({ toolResult }) => toolResult !== undefined)) return [refuse('br-mixed-result', text('result'), at)]
  if (!blocks.some(({ toolUse }) => toolUse !== undefined)) return []
  return [isLlama ? refuse('br-mixed-use', text('use'), at) : refusePedantically('br-mixed-use', text('use'), at)]
}

const end = (messages: JsonObject[]): Objection[] =>
  messages.at(-1)?.role === 'assistant' ? [refuse('br-end-user', endText, `messages[${messages.length - 1}]`)] : []

const endText =
  'The model that you are using requires the last turn in the conversation to be a user message. Add a user message to the conversation and try again.'
