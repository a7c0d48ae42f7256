import { dotted } from '../../judge/dotted.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'

export const idForms = (talk: HistoryEntry[]): RejectionReason[] =>
  talk.flatMap(({ answers, calls, at }) => [
    ...(answers === undefined || form.test(answers) ? [] : [bad(`${dotted(at)}.tool_result.tool_use_id`, at)]),
    ...calls.flatMap(({ id, at }) => (id === undefined || form.test(id) ? [] : [bad(`${dotted(at)}.tool_use.id`, at)])),
  ])

const form = /^[a-zA-Z0-9_-]+$/

const bad = (path: string, at: string): RejectionReason =>
  reject('an-id-pattern', `${path}: String should match pattern '^[a-zA-Z0-9_-]+$'`, at)

/** Two calls must not have the same id. The id of a call in an earlier message may be reused, as far as is known for sure. */
export function uniqueIds(talk: HistoryEntry[]): RejectionReason[] {
  const owners = new Map<string, HistoryEntry>()
  return talk.flatMap(entry =>
    entry.calls.flatMap(({ id, at }) => {
      if (id === undefined) return []
      const owner = owners.get(id)
      owners.set(id, owner ?? entry)
      if (!owner) return []
      const message = `${dotted(at)}: \`tool_use\` ids must be unique`
      const isHere = owner.index === entry.index
      return [isHere ? reject('an-dup-use', message, at) : rejectPedantically('an-dup-use', message, at)]
    }),
  )
}
