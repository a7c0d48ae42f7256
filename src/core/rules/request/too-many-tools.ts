import { asFields, asList, type BodyDraft, eachObject, scalarText } from '../../request/body-draft.ts'
import { type DeclaredTool, declaredTools, removeTools } from '../../request/declared-tools.ts'
import { calledNames } from '../../request/tool-names.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const tooManyTools = defineLimit({
  id: 'too-many-tools',
  appliesTo: facts => facts.toolsMax !== undefined,
  repair(draft, { toolsMax = Number.POSITIVE_INFINITY }) {
    const left = dropSpareTools(draft, toolsMax)
    if (left > toolsMax)
      draft.leave('tools', `${left} tools are declared or were called`, `declare at most ${toolsMax}: all were called`)
  },
})

/** Removes tools beyond the limit: those that were never called, the last first. Returns how many are left if that is allowed; above the limit, nothing was removed. */
export function dropSpareTools(draft: BodyDraft, limit: number): number {
  const tools = declaredTools(draft)
  const count = Math.max(tools.length, asList(draft.body.tools).length)
  if (count <= limit) return count
  const wanted = calledNames(draft)
  eachObject({ choice: draft.body.tool_choice }, ({ name }) => {
    if (typeof name === 'string') wanted.add(name)
  })
  const spare = tools.filter(tool => !isWanted(tool, wanted)).reverse()
  if (count - spare.length > limit) return count - spare.length
  const gone = spare
    .slice(0, count - limit)
    .filter(({ holder }) =>
      draft.change(
        'lossy',
        'tools',
        `the tool ${scalarText(holder.name)}, which was never called, is left out: the provider takes ${limit}`,
        () => {},
      ),
    )
  removeTools(gone)
  return limit
}

/** Whether a tool, or one in its group, was called or is asked for. */
const isWanted = ({ holder }: DeclaredTool, wanted: ReadonlySet<string>): boolean =>
  wanted.has(scalarText(holder.name)) || asList(holder.tools).some(tool => wanted.has(scalarText(asFields(tool)?.name)))

export const page: Page = {
  summary: 'The request declares more tools than the provider accepts.',
  why: 'Each MCP server adds its tools. With one too many, every request is rejected, whatever the model would call.',
  fix: 'Tools that the history never called are left out, the last first, and the report names them. If the history called too many, nothing is changed.',
}
