import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** A refusal as Gemini and Vertex AI write it. */
export const geminiShape = ({ message, status = 400 }: Objection): Failure => ({
  status,
  body: { error: { code: status, message, status: 'INVALID_ARGUMENT' } },
})

/** The same behind OpenAI's API, where it comes in a list. */
export function geminiCompatibleShape(objection: Objection): Failure {
  const { body, ...rest } = geminiShape(objection)
  return { ...rest, body: [body] }
}
