/** A client library that talks to a strict provider, and hides what differs between libraries. */
export interface Client {
  name: string
  /** Says something and runs the tools until the model is done. Rejects with the library's own error. */
  converse(url: string, talk: Talk): Promise<Heard>
  /** Whether this is the library's own error for the status; without a status, any error of its own from a stream. */
  isError(error: unknown, status?: number): boolean
  /** Its API has no ids for calls. */
  withoutIds?: true
  /** It leaves out a line of a stream that it cannot parse. */
  skipsMalformed?: true
}

export interface Talk {
  prompt: string
  stream: boolean
  tools: string[]
  run(name: string, input: unknown): string
}

export interface Heard {
  text: string
  /** The calls of each step. */
  steps: HeardCall[][]
}

export interface HeardCall {
  id: string
  name: string
  input: unknown
}

export const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
}

/** Asks step by step until there are no more calls. `step` sends the results of the step before. */
export async function loop(
  talk: Talk,
  step: (results: { call: HeardCall; text: string }[]) => Promise<{ text: string; calls: HeardCall[] }>,
): Promise<Heard> {
  const steps: HeardCall[][] = []
  let results: { call: HeardCall; text: string }[] = []
  for (let count = 0; count < 8; count++) {
    const { text, calls } = await step(results)
    if (calls.length === 0) return { text, steps }
    steps.push(calls)
    results = calls.map(call => ({ call, text: talk.run(call.name, call.input) }))
  }
  throw new Error('the model does not stop calling')
}
