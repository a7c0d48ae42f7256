/** An error that a framework throws itself, before any provider is asked. */
export interface FrameworkError {
  readonly from: string
  /** Its name or its message, without quotes. */
  readonly words: RegExp
  readonly why: string
  readonly repair: string
  /** The page with the repair, a path inside the package. */
  readonly page: string
}

const unanswered = 'A call in the history has no result: the turn that made it was interrupted, crashed or was cut.'

export const frameworkErrors: readonly FrameworkError[] = [
  {
    from: 'the AI SDK',
    words: /MissingToolResultsError|Tool results? (is|are) missing for tool calls?/i,
    why: `${unanswered} The SDK checks it before it calls a model.`,
    repair: '`prepareStep: healSteps()` in generateText and streamText; for messages of useChat, healUIMessages.',
    page: 'docs/ai-sdk.md',
  },
  {
    from: 'LangGraph',
    words: /INVALID_CHAT_HISTORY|Found AIMessages? with tool_calls that do not have a corresponding ToolMessage/i,
    why: `${unanswered} The graph checks it before it calls the model.`,
    repair: 'In JavaScript the middleware of antiphon/adapters/langchain; stored threads: antiphon doctor.',
    page: 'docs/langchain.md',
  },
  {
    from: 'Pydantic AI',
    words: /Cannot provide a new user prompt when the message history contains unprocessed tool calls/i,
    why: unanswered,
    repair:
      'Run the agent without a new prompt to finish the calls, or answer them; requests to the provider: the proxy.',
    page: 'docs/proxy.md',
  },
  {
    from: 'Google ADK',
    words: /No function call event found for function responses? ids/i,
    why: 'A result is stored whose call is not in the events that the agent reads.',
    repair: 'antiphon doctor repairs the stored session.',
    page: 'docs/stores/google-adk.md',
  },
]
