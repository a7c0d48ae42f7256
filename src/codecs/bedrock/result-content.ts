import { isRecord } from '../../core/conversation.ts'

/** Whether the content of a result is a list, and every value in it an object: Bedrock accepts nothing else. */
export function isResultContent(content: unknown): boolean {
  if (!Array.isArray(content)) return false
  for (const block of content) if (isBareValue(block)) return false
  return true
}

/** The content in the form that Bedrock accepts. */
export function toResultContent(content: unknown): unknown {
  if (isResultContent(content)) return content
  if (Array.isArray(content)) return content.map(block => (isBareValue(block) ? contentBlock(bareValue(block)) : block))
  return content === undefined || content === null || content === '' ? [] : [contentBlock(content)]
}

/** What is not a block, a value that is not an object, and text that is not a string. */
const isBareValue = (block: unknown): boolean =>
  !isRecord(block) ||
  ('json' in block && !isRecord(block.json)) ||
  (block.text !== undefined && typeof block.text !== 'string')

const bareValue = (block: unknown): unknown =>
  !isRecord(block) ? (block ?? null) : 'json' in block ? block.json : block.text

export function contentBlock(value: unknown): unknown {
  if (typeof value === 'string') return { text: value }
  return isRecord(value) ? { json: value } : { text: JSON.stringify(value) }
}
