import { dotted } from '../../judge/dotted.ts'
import type { Entry } from '../../judge/entry.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'

export const idForms = (talk: Entry[]): Objection[] =>
  talk.flatMap(({ answers, calls, at }) => [
    ...(answers === undefined || form.test(answers) ? [] : [bad(`${dotted(at)}.tool_result.tool_use_id`, at)]),
    ...calls.flatMap(({ id, at }) => (id === undefined || form.test(id) ? [] : [bad(`${dotted(at)}.tool_use.id`, at)])),
  ])

const form = /^[a-zA-Z0-9_-]+$/

const bad = (path: string, at: string): Objection =>
  refuse('an-id-pattern', `${path}: String should match pattern '^[a-zA-Z0-9_-]+$'`, at)

/** No call has the id of another. That of an earlier message may be used again, for all that is known for sure. */
export function uniqueIds(talk: Entry[]): Objection[] {
  const owners = new Map<string, Entry>()
  return talk.flatMap(entry =>
    entry.calls.flatMap(({ id, at }) => {
      if (id === undefined) return []
      const owner = owners.get(id)
      owners.set(id, owner ?? entry)
      if (!owner) return []
      const message = `${dotted(at)}: \`tool_use\` ids must be unique`
      const isHere = owner.index === entry.index
      return [isHere ? refuse('an-dup-use', message, at) : refusePedantically('an-dup-use', message, at)]
    }),
  )
}
