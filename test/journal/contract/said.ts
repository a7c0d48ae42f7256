/** The words of users and tools in Chat Completions, in order. */
export const said = (messages: readonly unknown[]): unknown[] =>
  (messages as { role: string; content: unknown }[]).flatMap(({ role, content }) =>
    role === 'assistant' ? [] : [content],
  )
