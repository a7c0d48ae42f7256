import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** The chat template of gpt-oss: a result needs calls in the latest assistant message, at any distance. */
export const gptOssTemplate: Validator = chat => {
  const found: RejectionReason[] = []
  let hasCalled = false
  for (const { role, calls, at } of chat) {
    if (role === 'assistant') hasCalled = calls.length > 0
    if (role === 'tool' && !hasCalled) found.push(reject('tp-gptoss-orphan', orphanText, at))
  }
  return found
}

const orphanText = 'Message has tool role, but there was no previous assistant message with a tool call!'
