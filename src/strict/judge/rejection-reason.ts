/** One reason why a provider rejects a history. `fact` is the id in the table of provider facts. */
export type RejectionReason = {
  fact: string
  message: string
  /** A path in the history's own format, like `messages[2].tool_calls[0]` or `input[4]`. */
  at: string
  /** Further fields of the error body, if the provider has them. */
  param?: string | null
  code?: string | null
  /** If it is not the usual status. */
  status?: number
  /** The fact is known from third-party code only: a real provider may accept the history. */
  pedantic?: true
}

/** Further fields of the error body, or its own status. */
export type RejectionDetails = Pick<RejectionReason, 'param' | 'code' | 'status'>

export const reject = (fact: string, message: string, at: string, details: RejectionDetails = {}): RejectionReason => ({
  fact,
  message,
  at,
  ...details,
})

export const rejectPedantically = (
  fact: string,
  message: string,
  at: string,
  details: RejectionDetails = {},
): RejectionReason => ({
  ...reject(fact, message, at, details),
  pedantic: true,
})
