import { GoogleGenAI, type Interactions } from '@google/genai'
import { type Client, loop, schema } from './client.ts'

/** Each history is sent whole, or the server holds what came before. */
const interactions = (name: string, isStored: boolean): Client => ({
  name,
  skipsMalformed: true,
  isError: (error, status) =>
    error instanceof Error && (status === undefined || ('status' in error && error.status === status)),
  converse(url, talk) {
    const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url, retryOptions: { attempts: 1 } } })
    const input: Interactions.Step[] = [{ type: 'user_input', content: [{ type: 'text', text: talk.prompt }] }]
    const tools = talk.tools.map(name => ({ type: 'function' as const, name, parameters: schema }))
    let previous: string | undefined
    return loop(talk, async results => {
      const answers = results.map(
        ({ call: { id, name }, text }): Interactions.Step => ({
          ...{ type: 'function_result', call_id: id, name, result: text },
        }),
      )
      input.push(...answers)
      const request = {
        ...{ model: 'gemini-3-pro', tools },
        ...(isStored && previous !== undefined
          ? { previous_interaction_id: previous, input: answers }
          : { input, store: isStored }),
      }
      const { id, steps } = await ask(client, request, talk.stream)
      previous = id
      input.push(...steps)
      const calls = steps.flatMap(step =>
        step.type === 'function_call' ? [{ id: step.id, name: step.name, input: step.arguments }] : [],
      )
      return { text: steps.map(textOf).join(''), calls }
    })
  },
})

export const genaiInteractions = [
  interactions('google genai, interactions', false),
  interactions('google genai, stored interactions', true),
]

type Steps = { id: string; steps: Interactions.Step[] }
type Request = Parameters<GoogleGenAI['interactions']['create']>[0] & { model: string }

async function ask(client: GoogleGenAI, request: Request, stream: boolean): Promise<Steps> {
  if (!stream) return client.interactions.create({ ...request, stream: false }) as Promise<Steps>
  let id = ''
  const steps: Fields[] = []
  const inputs = new Map<Fields, string>()
  for await (const event of await client.interactions.create({ ...request, stream: true })) {
    if (event.event_type === 'error') throw new Error(event.error?.message)
    if (event.event_type === 'interaction.created') id = event.interaction.id
    if (event.event_type === 'step.start') steps[event.index] = { ...event.step }
    if (event.event_type === 'step.delta') grow(steps[event.index], event.delta as Fields, inputs)
  }
  for (const [step, text] of inputs) step.arguments = JSON.parse(text)
  return { id, steps: steps as unknown as Interactions.Step[] }
}

type Fields = Record<string, unknown>

function grow(step: Fields, delta: Fields, inputs: Map<Fields, string>): void {
  if (delta.type === 'arguments_delta') inputs.set(step, (inputs.get(step) ?? '') + delta.arguments)
  else if (delta.type === 'text') step.content = [{ type: 'text', text: textOf(step) + delta.text }]
  else if (delta.type === 'thought_signature') step.signature = delta.signature
}

const textOf = (step: Fields | Interactions.Step): string =>
  step.type === 'model_output' && Array.isArray(step.content) ? step.content.map(({ text }) => text).join('') : ''
