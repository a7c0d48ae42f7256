import {
  type CallPart,
  type Format,
  isRecord,
  type ResultPart,
  resultText,
  sortsWithoutText,
} from '../../conversation.ts'
import { jsonText } from '../../json/json-text.ts'
import { defineRule, type Page, shortenId } from '../rule.ts'

export const mismatchedResult = defineRule({
  id: 'mismatched-result',
  appliesTo: (_, format) => format.reasoning !== 'blocks',
  check(context, report) {
    for (const { part, call, message, slot } of context.pairing.results) {
      const wanted = call?.part ?? (context.continues ? storedCall(part) : undefined)
      if (!wanted || answers(wanted.sort, part.sort, context.format)) continue
      report({
        message,
        part,
        callId: part.id,
        text: `a ${part.sort} result answers the ${wanted.sort} call ${shortenId(part.id)}`,
        fix: {
          title: `make it a ${wanted.sort} result`,
          class: losesContent(part, wanted.sort) ? 'lossy' : 'lossless',
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

/** Sorts whose results may have any content. */
const open = new Set(['function', 'custom'])

/** Whether content is lost when a result gets the sort that its call demands. */
function losesContent({ content, sort }: ResultPart, wanted: string): boolean {
  if (sortsWithoutText.has(wanted)) return true
  if (open.has(wanted) && takesBlocks.has(sort)) return false
  return Array.isArray(content) && content.some(block => !isRecord(block) || !('text' in block || 'stdout' in block))
}

/** Sorts whose results are a text or a list of blocks, all of the same kind. */
const takesBlocks = new Set(['function', 'custom'])

/** A local shell call is answered by either of two types, and where results have no type, by any. */
function answers(call: string, result: string, format: Format): boolean {
  if (call === result || (call === 'local-shell' && result === 'function')) return true
  return format.reasoning === 'field' && call !== 'legacy' && result !== 'legacy'
}

type Wanted = Pick<CallPart, 'id' | 'name' | 'sort'>

/** The call that the provider stores for a result: a result in the chat format does not reveal its sort. */
const storedCall = ({ id, sort }: ResultPart): Wanted => ({ id, name: '', sort: sort === 'chat' ? 'function' : sort })

function rewrite(part: ResultPart, { id, name, sort }: Wanted, format: Format): ResultPart {
  if (format.reasoning === 'field') return { ...part, id, name, sort: sort === 'legacy' ? sort : 'function' }
  const { raw: _, itemId: __, content, ...rest } = part
  if (open.has(sort) && open.has(part.sort)) return { ...rest, id, sort, content }
  return {
    ...rest,
    id,
    sort,
    content: typeof content === 'string' ? content : resultText(part) || jsonText(content ?? ''),
  }
}
