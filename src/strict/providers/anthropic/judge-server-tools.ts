import { type JsonObject, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { inferred } from '../../judge/inferred.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { contentBlocks } from './history.ts'

/**
 * Tools that the provider runs: their results are in the assistant's own turn. A turn continues through user messages that
 * contain only results, and at the end of the history it may still be open.
 *
 * `used` has the ids of the turn so far, `open` those without a result.
 */
export function serverTools(raw: RawRequest): RejectionReason[] {
  const { messages } = raw
  const found: RejectionReason[] = []
  const used = new Set<string>()
  const open = new Map<string, Use>()
  for (const [index, message] of messages.entries()) {
    const blocks = contentBlocks(message)
    if (message.role === 'system') continue
    if (message.role !== 'assistant') {
      const hasResults = blocks.some(({ type }) => type === 'tool_result')
      const isOnlyResults = hasResults && blocks.every(({ type }) => type === 'tool_result')
      if (isOnlyResults) continue
      for (const use of open.values()) found.push(missing(use, hasResults))
      used.clear()
      open.clear()
      continue
    }
    for (const [k, block] of blocks.entries()) {
      const at = `messages[${index}].content[${k}]`
      if (block.type === 'server_tool_use') {
        const id = stringOf(block.id) ?? ''
        if (!/^srvtoolu_\w+$/.test(id)) found.push(badId(at))
        used.add(id)
        open.set(id, { id, name: stringOf(block.name) ?? '', index, at })
      } else if (isServerResult(block)) {
        const id = stringOf(block.tool_use_id) ?? ''
        if (!used.has(id)) found.push(...orphan(block, id, at, raw))
        open.delete(id)
      }
    }
  }
  return found
}

type Use = { id: string; name: string; index: number; at: string }

const isServerResult = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && type.endsWith('_tool_result') && type !== 'mcp_tool_result'

function missing({ id, name, index, at }: Use, hasResults: boolean): RejectionReason {
  const message = `messages.${index}: \`${name}\` tool use with id \`${id}\` was found without a corresponding \`${name}_tool_result\` block`
  return reject(hasResults ? 'an-srv-mixed' : 'an-srv-missing', message, at)
}

const badId = (at: string): RejectionReason =>
  reject(
    'an-srv-id-pattern',
    `${dotted(at)}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`,
    at,
  )

/** The text was seen for the advisor tool only; for other tools it is inferred. */
function orphan({ type }: JsonObject, id: string, at: string, raw: RawRequest): RejectionReason[] {
  const message = `${dotted(at)}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}. Each \`${type}\` block must have a corresponding \`server_tool_use\` block before it.`
  const found = [reject('an-srv-orphan', message, at)]
  return type === 'advisor_tool_result' ? found : inferred(raw, found)
}
