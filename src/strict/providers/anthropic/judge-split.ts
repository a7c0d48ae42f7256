import { type JsonObject, stringOf } from '../../json.ts'
import { type RejectionReason, rejectPedantically } from '../../judge/rejection-reason.ts'
import { contentBlocks } from './history.ts'
import { missingText } from './judge-pairing.ts'

/** Results of one step in two neighbouring user messages: clients report a rejection, the documentation says otherwise. */
export function separatedResults(messages: JsonObject[]): RejectionReason[] {
  let step = { index: 0, open: new Set<string>(), isAnswered: false }
  return messages.flatMap((message, index) => {
    const ids = (type: string, key: string) =>
      contentBlocks(message).flatMap(block => (block.type === type ? [stringOf(block[key]) ?? ''] : []))
    if (message.role !== 'user') {
      if (message.role === 'assistant') step = { index, open: new Set(ids('tool_use', 'id')), isAnswered: false }
      return []
    }
    const answers = ids('tool_result', 'tool_use_id')
    const late = [...step.open].join(', ')
    const isSplit = step.isAnswered && answers.length > 0
    step.isAnswered ||= answers.length > 0
    for (const id of answers) step.open.delete(id)
    return isSplit ? [rejectPedantically('an-OPEN-split', missingText(step.index, late), `messages[${index}]`)] : []
  })
}
