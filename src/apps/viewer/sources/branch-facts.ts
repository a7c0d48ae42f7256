import { type CodecId, codecs } from '../../../codecs/index.ts'
import type { Branch } from '../../../journal/branches/branch-tree.ts'
import type { ThreadState } from '../../../journal/fold.ts'
import type { BranchFacts } from '../protocol.ts'

/** The branches of a thread; undefined if it has only one. */
export function branchFacts({ tree }: ThreadState): readonly BranchFacts[] | undefined {
  if (!tree || tree.branches.length < 2) return undefined
  return tree.branches.slice(-branchesMax).map(branch => ({
    branch: branch.branch,
    ...(branch.from === undefined ? {} : { from: branch.from }),
    title: titleOf(branch),
    isCurrent: branch === tree.target,
  }))
}

/** What was said first on the branch itself: by the user, by the model, or by a user whose message still waits. */
function titleOf({ items, waiting }: Branch): string {
  const inputs = [...items.flatMap(item => (item.kind === 'input' ? item.inputs : [])), ...waiting.values()]
  const [step] = items.flatMap(item => (item.kind === 'step' ? item.step.response : []))
  const texts = [
    ...inputs.map(({ content, format }) => textOf([content].flat(), format)),
    ...(step ? [textOf(step.messages, step.format)] : []),
  ]
  const text = (texts.find(text => text !== '') ?? '').replace(/\s{1,1000}/g, ' ')
  return text.length > titleMax ? `${text.slice(0, titleMax)}…` : text
}

function textOf(messages: readonly unknown[], format = 'openai-chat'): string {
  const [text] = messages
  if (typeof text === 'string') return text.trim()
  const { messages: decoded } = codecs[format as CodecId].decode(messages)
  const parts = decoded.flatMap(({ parts }) => parts)
  return parts
    .flatMap(part => (part.kind === 'text' ? part.text : []))
    .join(' ')
    .trim()
}

const titleMax = 120

/** Earlier branches are not listed. */
const branchesMax = 200
