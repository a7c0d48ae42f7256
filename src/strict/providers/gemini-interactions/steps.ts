import { isObject, type JsonObject, objects } from '../../json.ts'

/** The input as steps: a text, a content or a list of contents is what the user says. */
export function inputSteps(input: unknown): JsonObject[] {
  if (typeof input === 'string') return [said([{ type: 'text', text: input }])]
  if (isObject(input)) return [said([input])]
  const steps: JsonObject[] = []
  for (const step of objects(input)) {
    const last = steps.at(-1)
    if (!contents.has(step.type)) steps.push(step)
    else if (last && loose.has(last)) (last.content as JsonObject[]).push(step)
    else {
      const together = said([step])
      loose.add(together)
      steps.push(together)
    }
  }
  return steps
}

const said = (content: JsonObject[]): JsonObject => ({ type: 'user_input', content })

/** User input made of contents that were in the list themselves. */
const loose = new WeakSet<JsonObject>()

const contents: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'document', 'video'])

/** A request with the fields by which the server stores interactions and responses alike. */
export const storedForm = ({ input, previous_interaction_id, store }: JsonObject): JsonObject => ({
  input: inputSteps(input),
  previous_response_id: previous_interaction_id,
  store,
})
