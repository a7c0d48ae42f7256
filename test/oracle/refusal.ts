/** One reason why a provider refuses a history. `fact` is the id of the row in the table of provider facts. */
export type Refusal = {
  fact: string
  message: string
  /** A path in the history's own wire, like `messages[2].tool_calls[0]` or `input[4]`. */
  at: string
  /** The fact is known from third-party code only: a real provider may well accept. */
  pedantic?: true
}

export const refuse = (fact: string, message: string, at: string): Refusal => ({ fact, message, at })

export const refusePedantically = (fact: string, message: string, at: string): Refusal => ({
  ...refuse(fact, message, at),
  pedantic: true,
})
