/** One reason why a provider refuses a history. `fact` is the id of the row in the table of provider facts. */
export type Objection = {
  fact: string
  message: string
  /** A path in the history's own wire, like `messages[2].tool_calls[0]` or `input[4]`. */
  at: string
  /** What the body of the refusal says beside the message, where the provider has such fields. */
  param?: string | null
  code?: string | null
  /** Where it is not the usual one. */
  status?: number
  /** The fact is known from third-party code only: a real provider may well accept. */
  pedantic?: true
}

/** What a body says beside the message, or a status of its own. */
export type Details = Pick<Objection, 'param' | 'code' | 'status'>

export const refuse = (fact: string, message: string, at: string, details: Details = {}): Objection => ({
  fact,
  message,
  at,
  ...details,
})

export const refusePedantically = (fact: string, message: string, at: string, details: Details = {}): Objection => ({
  ...refuse(fact, message, at, details),
  pedantic: true,
})
