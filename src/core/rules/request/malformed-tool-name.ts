import { acceptsName } from '../../ids.ts'
import { declaredTools } from '../../request/declared-tools.ts'
import { renameTools } from '../../request/tool-names.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const malformedToolName = defineLimit({
  id: 'malformed-tool-name',
  appliesTo: facts => facts.toolNames !== undefined,
  repair(draft, { toolNames }) {
    if (!toolNames) return
    const unfit = new Set<string>()
    for (const { holder } of declaredTools(draft)) {
      const { name } = holder
      if (typeof name === 'string' && name !== '' && !acceptsName(toolNames, name)) unfit.add(name)
    }
    if (unfit.size === 0) return
    if (draft.renamesTools) {
      for (const [fresh, name] of renameTools(draft, toolNames)) draft.renamedTools.set(fresh, name)
      return
    }
    for (const name of unfit) {
      const help = 'send it through healFetch or the proxy, which give the answer your name back, or set renameTools'
      draft.leave('tools', `the provider does not accept the tool name ${name.slice(0, 80)}`, help)
    }
  },
})

export const page: Page = {
  summary:
    'A declared tool has a name that the provider does not accept: too long, or with characters such as dots, slashes or spaces.',
  why: 'MCP servers and other providers allow other names. The provider rejects every request that declares the tool.',
  fix: 'The tool gets another name, in the declaration, the history and the choice of a tool, and the answer gets the name of the caller back. This is done where the answer passes through: in healFetch and the proxy, and in healRequest with renameTools, which then returns renamedTools. Elsewhere it is only reported.',
}
