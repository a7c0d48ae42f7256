import {
  type CallPart,
  callKindsWithoutText,
  type Format,
  isRecord,
  type ResultPart,
  resultText,
} from '../../conversation.ts'
import { jsonText } from '../../json/json-text.ts'
import { defineRule, type Page, shortenId } from '../rule.ts'

export const mismatchedResult = defineRule({
  id: 'mismatched-result',
  appliesTo: (_, format) => format.reasoning !== 'blocks',
  check(context, report) {
    for (const { part, call, message, slot } of context.pairing.results) {
      const wanted = call?.part ?? (context.continues ? storedCall(part) : undefined)
      if (!wanted || answers(wanted.callKind, part.callKind, context.format)) continue
      report({
        message,
        part,
        callId: part.id,
        text: `a ${part.callKind} result answers the ${wanted.callKind} call ${shortenId(part.id)}`,
        fix: {
          title: `make it a ${wanted.callKind} result`,
          class: losesContent(part, wanted.callKind) ? 'lossy' : 'lossless',
          apply: draft => draft.rewrite(message.key, slot, rewrite(part, wanted, context.format)),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A result has a type that does not answer its call.',
  why: 'Each type of call has its own type of result, and the provider rejects any other.',
  fix: 'The result is rewritten as the type that its call requires, with the same content.',
}

/** Kinds of calls whose results may have any content. */
const open = new Set(['function', 'custom'])

/** Whether content is lost when a result is rewritten for the kind of its call. */
function losesContent({ content, callKind }: ResultPart, wanted: string): boolean {
  if (callKindsWithoutText.has(wanted)) return true
  if (open.has(wanted) && takesBlocks.has(callKind)) return false
  return Array.isArray(content) && content.some(block => !isRecord(block) || !('text' in block || 'stdout' in block))
}

/** Kinds of calls whose results are a text or a list of blocks, in the same form for all. */
const takesBlocks = new Set(['function', 'custom'])

/** A local shell call is answered by either of two types, and where results have no type, by any. */
function answers(call: string, result: string, format: Format): boolean {
  if (call === result || (call === 'local-shell' && result === 'function')) return true
  return format.reasoning === 'field' && call !== 'legacy' && result !== 'legacy'
}

type Wanted = Pick<CallPart, 'id' | 'name' | 'callKind'>

/** The call that the provider stores for a result: a result in the chat format does not show the kind of its call. */
const storedCall = ({ id, callKind }: ResultPart): Wanted => ({
  id,
  name: '',
  callKind: callKind === 'chat' ? 'function' : callKind,
})

function rewrite(part: ResultPart, { id, name, callKind }: Wanted, format: Format): ResultPart {
  if (format.reasoning === 'field')
    return { ...part, id, name, callKind: callKind === 'legacy' ? callKind : 'function' }
  const { raw: _, itemId: __, content, ...rest } = part
  if (open.has(callKind) && open.has(part.callKind)) return { ...rest, id, callKind, content }
  return {
    ...rest,
    id,
    callKind,
    content: typeof content === 'string' ? content : resultText(part) || jsonText(content ?? ''),
  }
}
