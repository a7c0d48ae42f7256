import type { BodyDraft } from '../../request/body-draft.ts'
import { scalarText } from '../../request/body-draft.ts'
import { type DeclaredTool, declaredTools, removeTools } from '../../request/declared-tools.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const repeatedTool = defineLimit({
  id: 'repeated-tool',
  appliesTo: facts => facts.repeatedTools !== undefined,
  repair: draft => dropRepeatedTools(draft),
})

/** Tools that are declared twice: the first counts. */
export function dropRepeatedTools(draft: BodyDraft): void {
  const seen = new Map<unknown, string>()
  const twins: DeclaredTool[] = []
  for (const declared of declaredTools(draft)) {
    const { tool, holder } = declared
    const first = seen.get(holder.name)
    if (first === undefined) seen.set(holder.name, JSON.stringify(tool))
    else
      draft.change(
        first === JSON.stringify(tool) ? 'lossless' : 'lossy',
        'tools',
        `the second declaration of the tool ${scalarText(holder.name)} is removed`,
        () => twins.push(declared),
      )
  }
  if (twins.length > 0) removeTools(twins)
}

export const page: Page = {
  summary: 'Two tools of the request have the same name.',
  why: 'Two servers offer the same tool, or a list of tools was joined twice. The provider rejects the request.',
  fix: 'The first declaration stays.',
}
