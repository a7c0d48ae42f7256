import { isRecord } from '../../conversation.ts'
import { asList, type BodyDraft, scalarText } from '../../request/body-draft.ts'
import { declaredTools } from '../../request/declared-tools.ts'
import { rewriteParts, textPart } from '../../request/parts.ts'
import type { FoundPart } from '../../request/survey.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const unknownToolReference = defineLimit({
  id: 'unknown-tool-reference',
  appliesTo: facts => facts.toolReferences !== undefined,
  repair(draft, { toolReferences }) {
    const { references } = draft.survey
    if (references.length === 0) return
    // The provider itself may list tools of a server that the request only names.
    if (toolReferences === 'declared' && hasRemoteTools(draft)) return
    const declared = new Set(toolReferences === 'declared' ? declaredTools(draft).map(({ holder }) => holder.name) : [])
    replaceReferences(
      draft,
      references.filter(({ part }) => !declared.has(part.tool_name)),
    )
  },
})

function hasRemoteTools({ body }: BodyDraft): boolean {
  const isNamed = (tool: unknown): boolean => isRecord(tool) && typeof tool.name === 'string'
  return body.mcp_servers !== undefined || asList(body.tools).some(tool => !isNamed(tool))
}

/** References to tools become texts. */
export function replaceReferences(draft: BodyDraft, references: readonly Omit<FoundPart, 'before'>[]): void {
  const change = ({ part, at }: Omit<FoundPart, 'before'>): boolean =>
    draft.change('lossy', at, `the reference to the tool ${scalarText(part.tool_name)} becomes a text`, () => {})
  if (references.length === 0) return
  if (!draft.allows('lossy')) {
    for (const reference of references) change(reference)
    return
  }
  const gone = new Map<unknown, Omit<FoundPart, 'before'>>(references.map(reference => [reference.part, reference]))
  rewriteParts(draft, (part, { role, inResult }) => {
    const reference = gone.get(part)
    if (!reference || !change(reference)) return part
    return textPart(draft, `[tool found: ${scalarText(part.tool_name)}]`, role, inResult)
  })
}

export const page: Page = {
  summary:
    'A result refers to a tool that the request does not declare, or the provider does not know such references.',
  why: 'A search found a tool of a server that is no longer connected. The reference stays in the history, and every later request is rejected.',
  fix: 'The reference becomes a short text with the name of the tool.',
}
