import { asRecord, callKindsWithoutText, type Format, isRecord, type ResultPart } from '../../conversation.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { asResultBlocks } from '../../result-blocks.ts'
import { defineRule, type Page, type RuleContext, shortenId } from '../rule.ts'

export const malformedResult = defineRule({
  id: 'malformed-result',
  appliesTo: (facts, format) =>
    facts.malformedResult === 'refuse' || format.formsResults === true || facts.standardResults === 'unsent',
  check(context, report) {
    for (const message of context.messages) {
      for (const [slot, part] of message.parts.entries()) {
        if (part.kind !== 'result') continue
        const isUnsent = part.standard === true && context.facts.standardResults === 'unsent'
        const content = part.malformed ? part.content : sendableContent(part, context)
        if (!part.malformed && !isUnsent && content === part.content) continue
        const name = shortenId(part.name ?? '') || 'a call'
        report({
          message,
          part,
          callId: part.id,
          text: isUnsent
            ? `the result of ${name} is in standard blocks, which the SDK does not send as a result`
            : `the result of ${name} has a form that the format does not allow`,
          fix: {
            title: titleFor(part, isUnsent, context.format),
            class: callKindsWithoutText.has(part.callKind) ? 'lossy' : isMadeUp(content) ? 'synthetic' : 'lossless',
            apply: draft => {
              const { malformed: _, standard, ...rest } = part
              const kept = standard && !isUnsent ? { standard } : {}
              draft.rewrite(message.key, slot, {
                ...rest,
                ...kept,
                content: isUnsent ? withoutBlocks(content) : content,
              })
            },
          },
        })
      }
    }
  },
})

function titleFor({ callKind, malformed }: ResultPart, isUnsent: boolean, { writesText }: Format): string {
  if (callKindsWithoutText.has(callKind)) return 'replace it by an empty one, unless it names an image'
  if (isUnsent) return 'send it as plain content'
  return malformed && !writesText ? 'wrap the content' : 'write it as text'
}

/** Text blocks as text: without its mark LangChain sends a list of them as JSON. */
const withoutBlocks = (content: unknown): unknown =>
  Array.isArray(content) &&
  content.every(block => isRecord(block) && block.type === 'text' && typeof block.text === 'string')
    ? content.map(({ text }) => text).join('\n')
    : content

/** The content of the result of a function in the form that the format takes. */
function sendableContent(
  { by, callKind, content, raw }: ResultPart,
  { facts, format: { resultText: type, formsResults } }: RuleContext,
): unknown {
  if (type === undefined || by === 'provider' || !textual.has(callKind)) return content
  if (!formsResults) return asResultBlocks(content, type)
  // In the AI SDK a list of blocks is the value of an output.
  const list = isBlockOutput(content) ? content.value : isBlockOutput(asRecord(raw).output) ? content : undefined
  if (!Array.isArray(list)) return content
  const blocks = asResultBlocks(list, type)
  const formed = Array.isArray(blocks) ? blocks : [{ type, text: blocks }]
  const value = facts.contentResults ? withOneText(formed) : formed
  if (value === list) return content
  return isBlockOutput(content) ? { ...content, value } : value
}

/** The texts as one, and one for content without a text: media is sent beside the result. */
function withOneText(blocks: readonly unknown[]): readonly unknown[] {
  const texts = blocks.filter(isText)
  if (texts.length === 1) return blocks
  const text = texts.map(({ text }) => text).join('\n')
  return [texts.length === 0 ? madeUp : { ...texts[0], text }, ...blocks.filter(block => !isText(block))]
}

const isText = (block: unknown): block is { text: unknown } => isRecord(block) && block.type === 'text'

const madeUp = { type: 'text', text: bridgeTexts.result }

const isMadeUp = (content: unknown): boolean =>
  isBlockOutput(content) && Array.isArray(content.value) && content.value[0] === madeUp

const isBlockOutput = (value: unknown): value is { type: 'content'; value: unknown } =>
  isRecord(value) && value.type === 'content'

const textual: ReadonlySet<string> = new Set(['function', 'custom', 'legacy'])

export const page: Page = {
  summary: 'The content of a result has a form that the format does not allow.',
  why: 'A tool returned a string or a list where the provider requires an object, or an object where it requires text, and the whole request is rejected. Or LangChain marks a result as standard blocks, which its package for the Responses API does not send as a result. Or a tool of the AI SDK returned an image, nothing or several texts, and its package for older models sends a result for each text.',
  fix: 'The content is wrapped whole, or written as JSON, in a form that the format allows. Texts are joined, and a result without a text gets "(no output)", where an SDK sends a result for each. Text in place of a screenshot becomes an empty screenshot.',
}
