import { isRecord } from '../conversation.ts'
import { asFields, asList, type BodyDraft, type MutableFields } from './body-draft.ts'

/** A tool that a request declares. */
export interface DeclaredTool {
  /** The object with its name. */
  readonly holder: MutableFields
  readonly tool: unknown
  /** The list that it is in. */
  readonly list: unknown[]
}

export function declaredTools(draft: BodyDraft): DeclaredTool[] {
  const found: DeclaredTool[] = []
  const lists = [asList(draft.body.tools), asList(asFields(draft.body.toolConfig)?.tools)]
  for (const list of lists) {
    for (const tool of list) {
      const fields = asFields(tool)
      if (!fields) continue
      const functions = fields.functionDeclarations ?? fields.function_declarations
      if (Array.isArray(functions))
        for (const one of functions)
          if (isRecord(one)) found.push({ holder: one as MutableFields, tool: one, list: functions })
      const holder = asFields(fields.function) ?? asFields(fields.toolSpec) ?? fields
      if (!Array.isArray(functions) && typeof holder.name === 'string') found.push({ holder, tool, list })
    }
  }
  return found
}

/** Removes tools from the lists that they are in. */
export function removeTools(tools: readonly DeclaredTool[]): void {
  const gone = new Set(tools.map(({ tool }) => tool))
  for (const list of new Set(tools.map(({ list }) => list))) {
    const kept = list.filter(tool => !gone.has(tool))
    list.length = 0
    for (const tool of kept) list.push(tool)
  }
}
